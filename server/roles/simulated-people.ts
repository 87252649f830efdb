import { randomUUID } from 'node:crypto'

import type { Config } from '../config.ts'
import { runningEdge } from '../modules/edges/index.ts'
import type { SimulatedPeople } from '../modules/simulator/index.ts'
import { systemClock as clock } from '../platform/clock.ts'
import type { Database } from '../platform/db/database.ts'
import type { Log } from '../platform/log.ts'
import type { Speaker } from '../speech/port.ts'
import { once } from './shared.ts'

const LIMITS = { callsMax: 5, callMs: 60_000 }

const WORDS =
  'Hello, this is Mikkel. I would like to hear if my bike is ready. Take your time, I am listening.'

interface PeopleParts {
  config: Config
  db: Database
  log: Log
  secret: string
  speaker: Speaker
  /** Where this process is reached from itself. */
  localUrl: () => string
}

/** People who call and text the companies of this installation, for who wants to try it; only where it is simulated. */
export function openSimulatedPeople(parts: PeopleParts): SimulatedPeople & { close(): Promise<void> } {
  const { config, log } = parts
  const callers = new Set<() => Promise<void>>()
  let calls = 0

  function call(plan: { from: string; to: string }): boolean {
    if (calls >= LIMITS.callsMax) return false
    calls++
    bringCall(parts, plan, callers)
      .catch((err: unknown) => log.warn({ err }, 'a simulated call could not be placed'))
      .finally(() => calls--)
    return true
  }

  return {
    ...(config.sip.simulator && { call }),
    ...(config.sms.provider === 'simulator' && { text: (text) => bringText(parts, text) }),
    async close() {
      for (const close of callers) await close()
    },
  }
}

async function bringCall(
  { config, db, log, secret, speaker }: PeopleParts,
  plan: { from: string; to: string },
  callers: Set<() => Promise<void>>,
): Promise<void> {
  const edge = await runningEdge(db.sql)
  if (!edge) return log.warn('a simulated call was not placed: nothing takes calls')
  const { sip_host: host, sip_port: port } = edge
  // Only here: a process that serves the API alone needs no telephone in memory.
  const { UserAgent } = await import('../sip/index.ts')
  const { createEmbeddedMedia } = await import('../media/embedded/plane.ts')
  const { placeCall } = await import('../simulator/caller.ts')
  const { SIMULATOR_PORTS, simulatorTrunk } = await import('../simulator/identity.ts')
  const { internalHost } = await import('../telephony/listen.ts')
  const own = host.startsWith('127.') ? host : internalHost('0.0.0.0')
  const media = createEmbeddedMedia({ clock, log, host: own, ports: SIMULATOR_PORTS, law: config.media.law })
  const ua = new UserAgent({
    clock,
    log,
    realm: 'simulator',
    secret: Buffer.from(secret),
    accounts: { find: () => Promise.resolve(undefined) },
    trunks: [simulatorTrunk(secret, { host, port }, 'tcp')],
    onInvite: (incoming) => incoming.reject(486),
  })
  const close = once(async () => {
    callers.delete(close)
    await ua.close()
    await media.shutdown()
  })
  callers.add(close)
  try {
    const say = await speaker.speak({ text: WORDS, language: 'en' })
    await ua.listen({ protocol: 'tcp', host: own, port: 0 })
    await placeCall({ ua, media, clock, host }, { ...plan, press: [], say, waitMs: LIMITS.callMs })
  } finally {
    await close()
  }
}

/** As a provider tells of a text. */
async function bringText(
  { secret, localUrl }: PeopleParts,
  text: { from: string; to: string; text: string },
): Promise<void> {
  const { callBack } = await import('../providers/sms/simulator/carrier.ts')
  const { createSimulatorSigner } = await import('../providers/sms/simulator/signature.ts')
  const { createSmsAgent } = await import('../providers/sms/ask.ts')
  const signer = createSimulatorSigner({ secret, clock })
  const agent = createSmsAgent()
  try {
    await callBack({ agent, signer, clock }, `${localUrl()}/webhooks/simulator/messages`, {
      type: 'message.received',
      id: `sim_${randomUUID()}`,
      ...text,
      received_at: clock.now().toISOString(),
    })
  } finally {
    await agent.destroy()
  }
}
