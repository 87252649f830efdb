import { PARKING_SLOTS } from '../../modules/calls/index.ts'
import { isSipUri, type Uri } from '../../sip/index.ts'
import { readDialled } from '../outbound/outbound-number.ts'

/** What a phone can dial besides numbers and extensions: docs/phone-codes.md. */
export type PhoneCode =
  /** Of the coworker with this extension; without one, the call that has waited longest. */
  | { is: 'pickup'; extension?: string }
  /** Takes the call that is parked there, or parks one. */
  | { is: 'slot'; slot: number }
  /** The coworker who is consulted joins the customer's call. */
  | { is: 'merge' }

const PICKUP = '*8'
const PICKUP_OF = /^\*\*(\d+)$/
const MERGE = '*3'
const SLOT = /^\*(\d{2})$/

/** No number, extension or prefix looks like a code. */
export function readPhoneCode(uri: Uri): PhoneCode | undefined {
  const { dialled } = readDialled(isSipUri(uri) ? (uri.user ?? '') : uri.opaque)
  if (dialled === PICKUP) return { is: 'pickup' }
  if (dialled === MERGE) return { is: 'merge' }
  const extension = PICKUP_OF.exec(dialled)?.[1]
  if (extension !== undefined) return { is: 'pickup', extension }
  const slot = Number(SLOT.exec(dialled)?.[1])
  return slot >= PARKING_SLOTS.first && slot <= PARKING_SLOTS.last ? { is: 'slot', slot } : undefined
}
