import { WEBHOOK_LIMITS } from '../../limits.ts'
import type { DeliveryRequest, WebhookEndpoint } from './delivery-request.ts'

/**
 * The deliveries that wait for one endpoint, and how many it gets at once. An endpoint that responds gets more; one
 * that does not gets one at a time, so that many dead endpoints together take little of the worker.
 */
export function createEndpointQueue(subscriptionId: string, endpoint: WebhookEndpoint, until: number) {
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
    /** When the lease of this worker expires, in ms since 1970. */
    until,
    enter(parcels: DeliveryRequest[]): void {
      waiting = head === waiting.length ? parcels : [...waiting.slice(head), ...parcels]
      head = 0
    },
    isWaiting: (): boolean => head < waiting.length,
    isIdle: (): boolean => underWay === 0 && head === waiting.length,
    /** What may be sent now, if anything. */
    next(): DeliveryRequest | undefined {
      if (underWay >= width || head === waiting.length) return undefined
      underWay++
      return waiting[head++]
    },
    leave(answered: boolean): void {
      underWay--
      width = answered ? Math.min(width * 2, WEBHOOK_LIMITS.perEndpointMax) : 1
    },
    /** Removes and returns all that waits. */
    clear,
  }
}

export type EndpointQueue = ReturnType<typeof createEndpointQueue>
