import { LIMITS } from '../../limits.ts'
import type { Endpoint, Parcel } from './parcel.ts'

/**
 * What waits for one endpoint, and how many of it that gets at once. An endpoint that answers earns more; one that
 * does not answer is asked one at a time, so that however many are dead, together they hold little of the worker.
 */
export interface Queue {
  readonly subscriptionId: string
  endpoint: Endpoint
  /** Until when this worker has the subscription, in ms since 1970. */
  until: number
  enter(parcels: Parcel[]): void
  isWaiting(): boolean
  isIdle(): boolean
  /** What may be sent now, if anything. */
  next(): Parcel | undefined
  leave(answered: boolean): void
  /** All that waits, which waits no longer. */
  clear(): Parcel[]
}

export function createQueue(subscriptionId: string, endpoint: Endpoint, until: number): Queue {
  let underWay = 0
  let width = LIMITS.perEndpointAtFirst
  let waiting: Parcel[] = []
  let head = 0

  function clear(): Parcel[] {
    const left = waiting.slice(head)
    waiting = []
    head = 0
    return left
  }

  return {
    subscriptionId,
    endpoint,
    until,
    enter(parcels) {
      waiting = head === waiting.length ? parcels : [...waiting.slice(head), ...parcels]
      head = 0
    },
    isWaiting: () => head < waiting.length,
    isIdle: () => underWay === 0 && head === waiting.length,
    next() {
      if (underWay >= width || head === waiting.length) return undefined
      underWay++
      return waiting[head++]
    },
    leave(answered) {
      underWay--
      width = answered ? Math.min(width * 2, LIMITS.perEndpointMax) : 1
    },
    clear,
  }
}
