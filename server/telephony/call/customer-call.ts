import type { CallRef } from '../../modules/calls/index.ts'
import type { CalledNumber } from '../../modules/numbers/index.ts'
import { encodeId } from '../../platform/ids.ts'
import type { Exchange } from '../port.ts'
import type { RingAs } from '../ring/ringing.ts'
import type { Sounds } from '../sound/sounds.ts'
import type { Leg } from './leg.ts'
import type { Store } from './store.ts'

/** What all parts of call control share. */
export interface ControlParts {
  exchange: Exchange
  sounds: Sounds
  store: Store
  /** For the last write of a call, which must not wait behind the others. */
  storeAtLast: Store
}

/** A call with a customer: their number, and the business number it goes over. */
export interface CustomerCall {
  ref: CallRef
  number: CalledNumber
  customer: Leg
  remoteNumber: string
}

/** The customer has hung up, so nothing more can be done for them. */
export class CustomerGone extends Error {}

/** How a call is displayed on the phones of employees. The header fields let programs identify the call. */
export function ringAs({ ref, number, remoteNumber }: CustomerCall): RingAs {
  return {
    from: {
      name: number.name,
      uri: { scheme: 'sip', user: remoteNumber, host: 'bellhop', params: new Map() },
      params: new Map(),
    },
    headers: { 'x-bellhop-call': encodeId('cal', ref.callId), 'x-bellhop-number': number.number },
  }
}
