import type { KeyObject } from 'node:crypto'

/** Where deliveries of a subscription go now, and what they are signed with. */
export interface Endpoint {
  origin: string
  path: string
  keys: KeyObject[]
}

export interface Parcel {
  /** Of the delivery. */
  id: string
  /** Missing when the key that it was sealed with is gone. */
  body: Uint8Array | undefined
}
