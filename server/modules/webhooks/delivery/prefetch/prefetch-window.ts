import type { Span } from '../../../../platform/tracing/span.ts'
import { WEBHOOK_LIMITS } from '../../limits.ts'
import type { DueDelivery } from '../queries.ts'
import { type AttemptOutcome, hasResponse } from '../sending/post.ts'

export interface HeldDelivery extends DueDelivery {
  /** Of its attempt, if that is traced. */
  span?: Span | undefined
}

/** The deliveries of one subscription that this worker has read, and how many it should read ahead. */
export interface PrefetchWindow {
  readonly companyId: string
  readonly subscriptionId: string
  /** When the lease of this worker expires, in ms since 1970; without one, nothing is read or sent. */
  until: number | undefined
  /** The last query returned everything that was due. */
  exhausted: boolean
  /** What must not be read again: deliveries at the sender, and outcomes not yet written. */
  readonly held: ReadonlyMap<string, HeldDelivery>
  /** How many more to read, given a minimum `share`; 0 while it has enough. */
  room(share: number): number
  enter(due: HeldDelivery): void
  /** The sender is done with a delivery. */
  leave(outcome: AttemptOutcome): void
  /** The delivery may be read again. */
  forget(id: string): void
}

export function createPrefetchWindow(companyId: string, subscriptionId: string): PrefetchWindow {
  const held = new Map<string, HeldDelivery>()
  let sending = 0
  let ahead = WEBHOOK_LIMITS.aheadAtFirst
  return {
    companyId,
    subscriptionId,
    until: undefined,
    exhausted: false,
    held,
    room(share) {
      const capacity = Math.min(ahead, Math.max(WEBHOOK_LIMITS.perEndpointMax, share))
      const free = capacity - sending
      return free * 2 >= capacity ? free : 0
    },
    enter(due) {
      held.set(due.id, due)
      sending++
    },
    leave(outcome) {
      sending--
      if (!outcome.ok && outcome.why === 'called_off') return
      if (!hasResponse(outcome)) ahead = 1
      else if (sending < WEBHOOK_LIMITS.perEndpointMax) ahead = Math.min(ahead * 2, WEBHOOK_LIMITS.aheadMax)
    },
    forget: (id) => held.delete(id),
  }
}
