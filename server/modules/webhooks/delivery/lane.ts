import { LIMITS } from '../limits.ts'
import type { Due } from './queries.ts'
import { isAnswer, type Outcome } from './sending/post.ts'

/** The deliveries of one subscription that this worker has read, and how many it should read ahead. */
export interface Lane {
  readonly companyId: string
  readonly subscriptionId: string
  /** When the lease of this worker expires, in ms since 1970; without one, nothing is read or sent. */
  until: number | undefined
  /** The last query returned everything that was due. */
  exhausted: boolean
  /** What must not be read again: deliveries at the sender, and outcomes not yet written. */
  readonly held: ReadonlyMap<string, Due>
  /** How many more to read, given a minimum `share`; 0 while it has enough. */
  room(share: number): number
  enter(due: Due): void
  /** The sender is done with a delivery. */
  leave(outcome: Outcome): void
  /** The delivery may be read again. */
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
