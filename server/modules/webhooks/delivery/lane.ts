import { LIMITS } from '../limits.ts'
import type { Due } from './queries.ts'
import { isAnswer, type Outcome } from './sending/post.ts'

/** The deliveries of one subscription that this worker has read, and how many it should have at once. */
export interface Lane {
  readonly companyId: string
  readonly subscriptionId: string
  /** Until when this worker has the subscription, in ms since 1970; without that, nothing is read or sent. */
  until: number | undefined
  /** The last look found all there was. */
  exhausted: boolean
  /** All that must not be read again: what is with the sender, or has ended and is not yet written down. */
  readonly held: ReadonlyMap<string, Due>
  /** How many more it should read, of which it may have `share` at least; 0 as long as it has enough. */
  room(share: number): number
  enter(due: Due): void
  /** The sender is done with one. */
  leave(outcome: Outcome): void
  /** It may be read again. */
  forget(id: string): void
}

export function createLane(companyId: string, subscriptionId: string): Lane {
  const held = new Map<string, Due>()
  let sending = 0
  let ahead = LIMITS.aheadAtFirst
  return {
    companyId,
    subscriptionId,
    until: undefined,
    exhausted: false,
    held,
    room(share) {
      const capacity = Math.min(ahead, Math.max(LIMITS.perEndpointMax, share))
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
      if (!isAnswer(outcome)) ahead = 1
      else if (sending < LIMITS.perEndpointMax) ahead = Math.min(ahead * 2, LIMITS.aheadMax)
    },
    forget: (id) => held.delete(id),
  }
}
