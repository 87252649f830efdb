import type { CallRef } from '../../modules/calls/index.ts'
import type { CalledNumber } from '../../modules/numbers/index.ts'
import { encodeId } from '../../platform/ids.ts'
import type { Exchange } from '../port.ts'
import type { RingAs } from '../ring/ringing.ts'
import type { Sounds } from '../sound/sounds.ts'
import type { Leg } from './leg.ts'
import type { Store } from './store.ts'

/** What everything that handles a call shares. */
export interface ControlParts {
  exchange: Exchange
  sounds: Sounds
  store: Store
  /** Beside the order of the call, after everything else. */
  storeAtLast: Store
}

/** A call with a customer: whom it is with, and over which number. */
export interface CustomerCall {
  ref: CallRef
  number: CalledNumber
  customer: Leg
  remoteNumber: string
}

/** The customer is gone: whatever was to be done for them is over. */
export class CustomerGone extends Error {}

/** How a call shows on the phones of employees. Programs read which call it is. */
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
