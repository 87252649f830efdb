import type { Endpoint } from './courier.ts'
import type { Due } from './queries.ts'

export const LIMITS = {
  perEndpointMax: 20,
  perEndpointAtFirst: 4,
  /** An endpoint that keeps running dry has up to so many times as many read as it gets at once. */
  aheadMax: 50,
}

/** The right to deliver to a subscription, and where to. */
export interface Lease {
  /** In ms since 1970. */
  until: number
  endpoint: Endpoint
}

/**
 * The deliveries of one subscription, and how many of them its endpoint gets at once. An endpoint that answers earns
 * more; one that does not answer is asked one at a time, so that however many are dead, together they hold little of
 * the worker.
 */
export interface Lane {
  readonly companyId: string
  readonly subscriptionId: string
  /** Without one, nothing is sent. */
  lease: Lease | undefined
  /** The last look found all there was. */
  exhausted: boolean
  /** All that must not be read again: what waits, is under way, or has ended and is not yet written down. */
  readonly held: Set<string>
  isIdle(): boolean
  /** How many more it should read, of which it may have `share` at least; 0 as long as it has enough. */
  room(share: number): number
  enter(due: Due): void
  /** What may be sent now, if anything. */
  next(): Due | undefined
  leave(answered: boolean): void
  /** Lets go of what waits. */
  clear(): void
  /** Lets go of what waits, and of the right to send it. */
  close(): void
}

export function createLane(companyId: string, subscriptionId: string): Lane {
  let underWay = 0
  let width = LIMITS.perEndpointAtFirst
  let ahead = 1
  let waiting: Due[] = []
  let head = 0
  const held = new Set<string>()
  const waitingCount = () => waiting.length - head

  function clear(): void {
    for (let i = head; i < waiting.length; i++) held.delete(waiting[i]!.id)
    waiting = []
    head = 0
  }

  return {
    companyId,
    subscriptionId,
    lease: undefined,
    exhausted: false,
    held,
    isIdle: () => held.size === 0,
    room(share) {
      const capacity = Math.min(width * ahead, Math.max(width, share))
      const free = capacity - underWay - waitingCount()
      return free * 2 >= capacity || waitingCount() === 0 ? Math.max(0, free) : 0
    },
    enter(due) {
      waiting.push(due)
      held.add(due.id)
    },
    next() {
      if (underWay >= width || head === waiting.length) return undefined
      const due = waiting[head++]!
      if (head === waiting.length) {
        waiting = []
        head = 0
      }
      underWay++
      return due
    },
    leave(answered) {
      underWay--
      width = answered ? Math.min(width * 2, LIMITS.perEndpointMax) : 1
      if (!answered) ahead = 1
      else if (waitingCount() === 0) ahead = Math.min(ahead * 2, LIMITS.aheadMax)
    },
    clear,
    close() {
      this.lease = undefined
      clear()
    },
  }
}
