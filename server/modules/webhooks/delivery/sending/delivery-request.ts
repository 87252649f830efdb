import type { KeyObject } from 'node:crypto'

/** The URL and the signing keys of a subscription. */
export interface WebhookEndpoint {
  origin: string
  path: string
  keys: KeyObject[]
}

export interface DeliveryRequest {
  /** Id of the delivery. */
  id: string
  /** Undefined if its encryption key is missing. */
  body: Uint8Array | undefined
  /** Only if the delivery is traced. */
  traceparent?: string
}
