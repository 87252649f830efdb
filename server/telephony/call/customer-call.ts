import type { CallRef } from '../../modules/calls/index.ts'
import { findContactByPhone } from '../../modules/contacts/index.ts'
import type { CalledNumber } from '../../modules/numbers/index.ts'
import { lazyAsync } from '../../platform/async/lazy.ts'
import { encodeId } from '../../platform/ids.ts'
import type { Span } from '../../platform/tracing/span.ts'
import type { CallAdmission } from '../admission/call-admission.ts'
import type { CompanyWrites } from '../admission/company-writes.ts'
import type { CallControl, EdgePort } from '../port.ts'
import type { ReleasedCoworker, RingDisplay } from '../ring/ringing.ts'
import type { MediaOperations } from '../sound/media-operations.ts'
import type { CallWriter } from './call-writer.ts'
import type { Leg } from './leg.ts'

/** What all calls of an edge share. */
export interface EdgeCallParts {
  edge: EdgePort
  sounds: MediaOperations
  /** For the last write of a call, which must not wait behind the others. */
  writeAtLast: CallWriter
  admission: CallAdmission
  ofCompany(companyId: string): ControlParts
  joinCalls: CallControl['joinCalls']
  releaseCoworker(internalCallId: string, employeeId: string): ReleasedCoworker | undefined
}

/** What all calls of a company share. */
export interface ControlParts extends EdgeCallParts {
  /** Transactions that write what happens in its calls. */
  writes: CompanyWrites
  /** The same, repeated after transient errors. */
  store: CallWriter
}

/** A call with a customer: their number, and the business number it goes over. */
export interface CustomerCall {
  ref: CallRef
  number: CalledNumber
  customer: Leg
  remoteNumber: string
  direction: 'inbound' | 'outbound'
  /** The whole call; undefined if it is not traced. */
  span: Span | undefined
  /** Shared by all copies. */
  progress: { isAnswered: boolean; wasRungAlone: boolean; isRecordingAnnounced: boolean }
  /** How the call is displayed on the phones of employees. */
  ringDisplay(): Promise<RingDisplay>
}

export function createCustomerCall(
  edge: EdgePort,
  call: Omit<CustomerCall, 'ringDisplay' | 'progress'>,
): CustomerCall {
  return {
    ...call,
    progress: { isAnswered: false, wasRungAlone: false, isRecordingAnnounced: false },
    ringDisplay: lazyAsync(() => ringDisplayOf(edge, call)),
  }
}

/** The customer has hung up, so nothing more can be done for them. */
export class CustomerGone extends Error {}

/** The URI can be redialled from the phone's list of calls. The header fields let programs identify the call. */
async function ringDisplayOf(
  { db, domain }: EdgePort,
  { ref, number, remoteNumber }: Omit<CustomerCall, 'ringDisplay' | 'progress'>,
): Promise<RingDisplay> {
  const contact = await findContactByPhone(db.sql, ref.companyId, remoteNumber)
  return {
    from: {
      name: contact?.name?.trim() || contact?.company_name?.trim() || number.name,
      uri: { scheme: 'sip', user: remoteNumber, ...domain, params: new Map() },
      params: new Map(),
    },
    headers: { 'x-bellhop-call': encodeId('cal', ref.callId), 'x-bellhop-number': number.number },
  }
}
