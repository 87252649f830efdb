import { LIMITS } from '../../limits.ts'
import type { Endpoint, Parcel } from './parcel.ts'

/**
 * The deliveries that wait for one endpoint, and how many it gets at once. An endpoint that responds gets more; one
 * that does not gets one at a time, so that many dead endpoints together take little of the worker.
 */
export interface Queue {
  readonly subscriptionId: string
  endpoint: Endpoint
  /** When the lease of this worker expires, in ms since 1970. */
  until: number
  enter(parcels: Parcel[]): void
  isWaiting(): boolean
  isIdle(): boolean
  /** What may be sent now, if anything. */
  next(): Parcel | undefined
  leave(answered: boolean): void
  /** Removes and returns all that waits. */
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
