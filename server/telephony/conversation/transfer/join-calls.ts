import { inBackground } from '../../../platform/background.ts'
import { decodeId } from '../../../platform/ids.ts'
import type { ReferRequest, Uri } from '../../../sip/index.ts'
import type { EdgeCalls } from '../../call/edge-calls.ts'
import type { EdgePort, EmployeeCall } from '../../port.ts'

interface Joining {
  employeeId: string
  /** The call in which the phone sent the REFER. */
  own: EmployeeCall
  asked: ReferRequest
}

/**
 * A phone joins two of its calls (RFC 5589 §7): one with a customer, and one with the coworker who is to get them. It may
 * send the REFER in either. To the edge that has the customer, the internal call is the target of the transfer.
 */
export function joinCalls(edge: EdgePort, live: EdgeCalls, { employeeId, own, asked }: Joining): void {
  const refuse = (status: number, why: string) => {
    edge.log.info({ employee: employeeId, call: own.id, why }, 'a phone could not join two calls')
    asked.refuse(status)
  }
  const dialog = asked.replaces ?? ''
  const other = live.callWith(employeeId, dialog) ?? edge.relayedCall(employeeId, dialog)
  // The same response whether there is no such call or it belongs to somebody else.
  if (!other || other.id === own.id) return refuse(404, 'the phone has no such call')
  const [customers, internal] = isInternal(own) ? [other, own] : [own, other]
  if (isInternal(customers)) return refuse(603, 'neither call has a customer')
  // Nobody of the company would be responsible for what they talk about, or for the cost.
  if (!isInternal(internal)) return refuse(603, 'both calls have a customer')
  const target: Uri = { scheme: 'sip', user: internal.id, ...edge.domain, params: new Map() }
  const begun = customers.transfer({ ...asked, target, replaces: undefined })
  live.internalOf(decodeId('ica', internal.id)!)?.keepDuring(begun)
  inBackground(edge.log, 'join two calls of a phone', begun)
}

const isInternal = ({ id }: EmployeeCall) => decodeId('ica', id) !== undefined
