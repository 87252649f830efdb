import type { Clock } from '../../../../platform/clock.ts'
import { createSafeAgent } from '../../../../platform/net/safe-agent.ts'
import { LIMITS } from '../../limits.ts'
import { createSender, type Ended, type Sender } from './sender.ts'

interface Options {
  /** For development and tests: allows http, and addresses of this machine and its network. */
  allowInsecure: boolean
  clock: Clock
}

/** Sends from the calling thread. */
export function sendHere({ allowInsecure, clock }: Options, onEnded: (ended: Ended) => void): Sender {
  const agent = createSafeAgent({
    allowPrivate: allowInsecure,
    connectionsPerHost: LIMITS.perEndpointMax,
    connectMs: LIMITS.connectMs,
  })
  return createSender({ agent, clock, allowInsecure }, onEnded)
}
