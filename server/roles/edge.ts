import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

import type { Config } from '../config.ts'
import { createEmbeddedMedia } from '../media/embedded/plane.ts'
import { systemClock } from '../platform/clock.ts'
import { openPubSub } from '../platform/pubsub.ts'
import { installationSecret } from '../secret.ts'
import { createCallControl } from '../telephony/control.ts'
import { type Edge, openEdge } from '../telephony/edge.ts'
import { soundAddress, type SipPlace } from '../telephony/listen.ts'
import type { CreateCallControl } from '../telephony/port.ts'
import { once, openStorage, type Parts } from './shared.ts'

interface EdgeParts extends Parts {
  createControl?: CreateCallControl
}

/** Holds calls. Only its rules go by the clock that is passed in: phones and carriers have their own. */
export async function startEdge(parts: EdgeParts): Promise<Edge> {
  const { config, db, log, clock = systemClock, createControl = createCallControl } = parts
  const sip = await placeOf(config)
  const media = createEmbeddedMedia({
    clock: systemClock,
    log,
    host: sip.host,
    advertised: soundAddress(sip),
    ports: config.media.ports,
    law: config.media.law,
  })
  const pubsub = openPubSub(db.address)
  const release = async () => {
    await media.shutdown()
    await pubsub.close()
  }
  try {
    const edge = await openEdge({
      db,
      log,
      clock,
      realTime: systemClock,
      secret: await installationSecret(config, log),
      storage: openStorage(config, clock),
      pubsub,
      media,
      spoolDir: join(config.dataDir, 'spool'),
      sip,
      trunks: config.sip.trunks,
      outbound: config.outbound,
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

async function placeOf({ sip: { host, port, advertised, tls } }: Config): Promise<SipPlace> {
  return {
    host,
    port,
    ...(advertised !== undefined && { advertised }),
    ...(tls && {
      tls: { port: tls.port, key: await readFile(tls.keyFile), cert: await readFile(tls.certFile) },
    }),
  }
}
