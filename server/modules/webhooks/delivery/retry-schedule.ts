import { WEBHOOK_LIMITS } from '../limits.ts'
import type { AttemptOutcome } from './sending/post.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** Five retries, each delay about six times the previous one. */
const RETRY_AFTER_MS = [10 * SECOND, MINUTE, 6 * MINUTE, 36 * MINUTE, 3.6 * HOUR]

/** The random share of a delay, so that receivers that failed together are not retried together. */
const JITTER = 0.2
/** What becomes of a delivery after an attempt. */
export type NextDeliveryState =
  | { status: 'succeeded' }
  | { status: 'failed'; gone: boolean }
  | { status: 'pending'; nextAttemptAt: Date }

/** `tries` includes this attempt; `chance` is between 0 and 1. */
export function nextDeliveryState(
  outcome: AttemptOutcome,
  tries: number,
  now: Date,
  chance: number,
): NextDeliveryState {
  if (outcome.ok) return { status: 'succeeded' }
  if (outcome.why === 'refused' && outcome.status === 410) return { status: 'failed', gone: true }
  const waitMs = RETRY_AFTER_MS[tries - 1]
  if (waitMs === undefined) return { status: 'failed', gone: false }
  const jittered = waitMs * (1 + JITTER * (chance - 0.5))
  const asked = outcome.why === 'refused' ? retryAfterMs(outcome.retryAfter, now) : 0
  return { status: 'pending', nextAttemptAt: new Date(now.getTime() + Math.max(jittered, asked)) }
}

/** RFC 9110 §10.2.3: seconds, or a date. An invalid value is ignored. */
function retryAfterMs(header: string | undefined, now: Date): number {
  if (header === undefined) return 0
  const ms = /^\d+$/.test(header) ? Number(header) * SECOND : Date.parse(header) - now.getTime()
  return Number.isNaN(ms) ? 0 : Math.min(Math.max(ms, 0), WEBHOOK_LIMITS.retryAfterMs)
}
