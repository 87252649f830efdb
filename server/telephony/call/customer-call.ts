import type { CallRef } from '../../modules/calls/index.ts'
import type { CalledNumber } from '../../modules/numbers/index.ts'
import { encodeId } from '../../platform/ids.ts'
import type { EdgePort } from '../port.ts'
import type { RingDisplay } from '../ring/ringing.ts'
import type { MediaOperations } from '../sound/media-operations.ts'
import type { CallWriter } from './call-writer.ts'
import type { Leg } from './leg.ts'

/** What all parts of call control share. */
export interface ControlParts {
  edge: EdgePort
  sounds: MediaOperations
  store: CallWriter
  /** For the last write of a call, which must not wait behind the others. */
  writeAtLast: CallWriter
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
export function ringDisplayOf({ ref, number, remoteNumber }: CustomerCall): RingDisplay {
  return {
    from: {
      name: number.name,
      uri: { scheme: 'sip', user: remoteNumber, host: 'bellhop', params: new Map() },
      params: new Map(),
    },
    headers: { 'x-bellhop-call': encodeId('cal', ref.callId), 'x-bellhop-number': number.number },
  }
}
