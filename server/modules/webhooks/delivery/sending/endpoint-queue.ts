import { WEBHOOK_LIMITS } from '../../limits.ts'
import type { DeliveryRequest, WebhookEndpoint } from './delivery-request.ts'

/**
 * The deliveries that wait for one endpoint, and how many it gets at once. An endpoint that responds gets more; one
 * that does not gets one at a time, so that many dead endpoints together take little of the worker.
 */
export interface EndpointQueue {
  readonly subscriptionId: string
  endpoint: WebhookEndpoint
  /** When the lease of this worker expires, in ms since 1970. */
  until: number
  enter(parcels: DeliveryRequest[]): void
  isWaiting(): boolean
  isIdle(): boolean
  /** What may be sent now, if anything. */
  next(): DeliveryRequest | undefined
  leave(answered: boolean): void
  /** Removes and returns all that waits. */
  clear(): DeliveryRequest[]
}

export function createEndpointQueue(
  subscriptionId: string,
  endpoint: WebhookEndpoint,
  until: number,
): EndpointQueue {
  let underWay = 0
  let width = WEBHOOK_LIMITS.perEndpointAtFirst
  let waiting: DeliveryRequest[] = []
  let head = 0

  function clear(): DeliveryRequest[] {
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
      width = answered ? Math.min(width * 2, WEBHOOK_LIMITS.perEndpointMax) : 1
    },
    clear,
  }
}
