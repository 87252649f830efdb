import type { Law } from '../media/audio/g711.ts'
import { createEmbeddedMedia } from '../media/embedded/plane.ts'
import type { Clock } from '../platform/clock.ts'
import type { Log } from '../platform/log.ts'
import { UserAgent } from '../sip/index.ts'
import { ownAddress } from '../sip/transport/own-address.ts'
import { type CallPlan, type CallReport, placeSimulatedCall } from './caller.ts'
import { SIMULATOR_PORTS, simulatorTrunk } from './identity.ts'

interface TelephoneParts {
  clock: Clock
  log: Log
  /** Secret of the installation, for the password of the simulated carrier. */
  secret: string
  law: Law
  edge: { host: string; port: number }
}

/** A user agent with its own media, for one call to Bellhop. */
export function openSimulatedPhone({ clock, log, secret, law, edge }: TelephoneParts) {
  const host = addressFor(edge.host)
  const media = createEmbeddedMedia({ clock, log, host, ports: SIMULATOR_PORTS, law })
  const ua = new UserAgent({
    clock,
    log,
    realm: 'simulator',
    secret: Buffer.from(secret),
    accounts: { find: () => Promise.resolve(undefined) },
    // Over TCP a refused connection is noticed at once.
    trunks: [simulatorTrunk(secret, edge, 'tcp')],
    onInvite: (incoming) => incoming.reject(486),
  })
  return {
    async call(plan: CallPlan): Promise<CallReport> {
      await ua.listen({ protocol: 'tcp', host, port: 0 })
      return placeSimulatedCall({ ua, media, clock, log, host: edge.host }, plan)
    },
    async close(): Promise<void> {
      await ua.close()
      await media.shutdown()
    },
  }
}

/** Our address as Bellhop sees it: on the same machine, the same as its own. */
function addressFor(edge: string): string {
  return edge.startsWith('127.') ? edge : ownAddress('0.0.0.0', edge, []).replace(/^\[|\]$/g, '')
}
