import type { SubscriptionRef } from './lease-queries.ts'
import type { AttemptResult, DueDelivery } from './queries.ts'
import { nextDeliveryState } from './retry-schedule.ts'
import type { AttemptOutcome } from './sending/post.ts'

interface AttemptTiming {
  /** In ms since 1970. */
  start: number
  end: number
  /** Between 0 and 1. */
  chance: () => number
}

/** What is stored of an attempt. */
export function attemptResultOf(
  { companyId, subscriptionId }: SubscriptionRef,
  due: DueDelivery,
  outcome: AttemptOutcome,
  { start, end, chance }: AttemptTiming,
): AttemptResult {
  const verdict = nextDeliveryState(outcome, due.tries + 1, new Date(end), chance())
  return {
    companyId,
    subscriptionId,
    id: due.id,
    status: verdict.status,
    gone: verdict.status === 'failed' && verdict.gone,
    nextAttemptAt: verdict.status === 'pending' ? verdict.nextAttemptAt.toISOString() : null,
    replays: due.replays,
    attempt: {
      at: new Date(start).toISOString(),
      status_code: 'status' in outcome ? outcome.status : null,
      outcome: outcome.ok ? 'delivered' : outcome.why,
      duration_ms: end - start,
    },
  }
}
