import { readFile } from 'node:fs/promises'
import { isIPv6 } from 'node:net'
import { join } from 'node:path'

import type { Config } from '../config.ts'
import { createEmbeddedMedia, type EmbeddedMediaOptions } from '../media/embedded/plane.ts'
import { createPresence } from '../platform/async/presence.ts'
import { type Clock, systemClock } from '../platform/clock.ts'
import { openPubSub } from '../platform/db/pubsub.ts'
import { measureUtilisation } from '../platform/event-loop.ts'
import type { Log } from '../platform/log.ts'
import { startSimulatedCallee } from '../simulator/callee.ts'
import { simulatorTrunk, SIMULATOR_PORTS } from '../simulator/identity.ts'
import { createVoiceActivityDetector } from '../speech/embedded/recogniser.ts'
import type { Synthesiser } from '../speech/port.ts'
import { createCallControl } from '../telephony/call/control.ts'
import { type Edge, type EdgeOptions, openEdge } from '../telephony/edge/edge.ts'
import { internalHost, mediaAddresses, type SipListenOptions } from '../telephony/edge/listeners.ts'
import type { CreateCallControl } from '../telephony/port.ts'
import type { CarrierTrunk } from '../telephony/trunks/trunks.ts'
import { processLabel } from '../wiring/process-label.ts'
import { installationSecret } from '../wiring/secret.ts'
import { sipDomainAt } from '../wiring/sip-domain.ts'
import { ROLE_LIMITS } from './limits.ts'
import { startMedia } from './media.ts'
import { once, openSpeaker, openStorage, type RoleParts } from './shared.ts'

const LOOPBACK = '127.0.0.1'

interface EdgeParts extends RoleParts {
  createControl?: CreateCallControl
  /** How long a leg may be without media before it is probed, and how often. */
  quiet?: EmbeddedMediaOptions['quiet']
  /** The clock of signalling. */
  realTime?: Clock
  /** How busy this thread is. */
  utilisation?: EdgeOptions['utilisation']
}

/** Runs an edge. Only call control uses the injected clock: phones and carriers have their own time. */
export async function startEdge(parts: EdgeParts): Promise<Edge> {
  const { config, db, log, clock = systemClock, createControl = createCallControl } = parts
  const sip = await placeOf(config)
  const media = await startMedia(config.media, { log, addresses: mediaAddresses(sip), quiet: parts.quiet })
  const secret = await installationSecret(config, log)
  const pubsub = openPubSub(db.address, log, processLabel('edge', secret))
  const detector = createVoiceActivityDetector({ atOnce: 1, clock: systemClock, log })
  const speaker = openSpeaker(parts, systemClock)
  const simulator = config.sip.simulator ? await startSimulator({ log, secret, sip, speaker }) : undefined
  const release = async () => {
    await detector.close()
    await simulator?.close()
    await speaker.close()
    await media.shutdown()
    await pubsub.close()
  }
  try {
    const edge = await openEdge({
      db,
      log,
      clock,
      realTime: parts.realTime ?? systemClock,
      utilisation: parts.utilisation ?? measureUtilisation(),
      presence: parts.presence ?? createPresence(ROLE_LIMITS.companyPresentMs),
      secret,
      storage: openStorage(config, clock),
      speaker,
      pubsub,
      media,
      hasSpeech: async (file) => (await detector.find(file)).flat().length > 0,
      spoolDir: join(config.dataDir, 'spool'),
      sip,
      domainAt: (port) => sipDomainAt(config, port),
      // Last, so that a real carrier is preferred.
      carriers: [...config.sip.trunks, ...(simulator ? [simulator.carrier] : [])],
      outbound: config.outbound,
      callsMax: config.edge.callsMax,
      tracer: parts.tracer,
      createControl,
    })
    const stop = once(async () => {
      await edge.stop()
      await release()
    })
    return { ...edge, stop }
  } catch (error) {
    await release()
    throw error
  }
}

interface SimulatorParts {
  log: Log
  secret: string
  sip: SipListenOptions
  speaker: Synthesiser
}

/** A simulated carrier on this machine, for installations without another; its media never leaves the machine. */
async function startSimulator({ log, secret, sip, speaker }: SimulatorParts) {
  const clock = systemClock
  const media = createEmbeddedMedia({ clock, log, host: LOOPBACK, ports: SIMULATOR_PORTS, law: 'pcma' })
  const edgeHost = internalHost(sip.hosts.find((host) => !isIPv6(host)) ?? sip.hosts[0]!)
  const callee = await startSimulatedCallee({ clock, log, secret, media, speaker, edgeHost })
  const carrier: CarrierTrunk = {
    ...simulatorTrunk(secret, { host: LOOPBACK, port: callee.port }),
    transport: 'rtp',
  }
  const close = async () => {
    await callee.close()
    await media.shutdown()
  }
  return { carrier, close }
}

async function placeOf({
  sip: { hosts, port, advertised, proxies, tls },
}: Config): Promise<SipListenOptions> {
  return {
    hosts,
    port,
    advertised,
    proxies,
    ...(tls && {
      tls: { port: tls.port, key: await readFile(tls.keyFile), cert: await readFile(tls.certFile) },
    }),
  }
}
