import type { Clock } from '../../../../platform/clock.ts'
import { createSafeAgent } from '../../../../platform/net/safe-agent.ts'
import { WEBHOOK_LIMITS } from '../../limits.ts'
import { createWebhookSender, type EndedAttempt, type WebhookSender } from './sender.ts'

interface Options {
  /** For development and tests: allows http, and addresses of this machine and its network. */
  allowInsecure: boolean
  clock: Clock
}

/** Sends from the calling thread. */
export function createInlineSender(
  { allowInsecure, clock }: Options,
  onEnded: (ended: EndedAttempt) => void,
): WebhookSender {
  const agent = createSafeAgent({
    allowPrivate: allowInsecure,
    connectionsPerHost: WEBHOOK_LIMITS.perEndpointMax,
    connectMs: WEBHOOK_LIMITS.connectMs,
  })
  return createWebhookSender({ agent, clock, allowInsecure }, onEnded)
}
