import type { Tx } from '../../../platform/db/database.ts'
import { fail, notFound } from '../../../platform/errors.ts'
import type { Actor } from '../../../platform/http/route.ts'
import { availabilityChanged, withQueue } from '../../queue/index.ts'
import { selectInternalParties } from '../internal/internal-queries.ts'
import { publishCall } from '../live/live-calls.ts'
import { lockCall } from '../live/queries.ts'
import { transferInProgress } from './errors.ts'
import { insertTransfer } from './queries.ts'
import { checkTransferable } from './transfers.ts'

export interface AttendedTransfer {
  transferId: string
  toEmployeeId: string
  /** The edge that has the internal call. */
  edgeId: string
}

/**
 * Opens a transfer to the coworker with whom the controller has this internal call, who talks to them already or is
 * still rung. The coworker stays busy throughout: the transfer is stored before the internal call ends.
 */
export function openAttendedTransfer(
  tx: Tx,
  actor: Actor,
  callId: string,
  internalCallId: string,
): Promise<AttendedTransfer> {
  const { companyId, employeeId: from } = actor
  return withQueue(tx, companyId, async (queue) => {
    const call = (await lockCall(queue, companyId, callId)) ?? fail(notFound())
    const internal = (await selectInternalParties(queue, companyId, internalCallId)) ?? fail(notFound())
    const { from_employee_id: caller, to_employee_id: callee, edge_id: edgeId } = internal
    // Somebody else's call is not revealed.
    if (from !== caller && from !== callee) throw notFound()
    const to = from === caller ? callee : caller
    await checkTransferable(queue, actor, call, to)
    const state = internal.state === 'answered' ? 'consulting' : 'ringing'
    const transfer = { callId, from, to, state, isBlind: state === 'ringing' } as const
    const transferId = (await insertTransfer(queue, companyId, transfer)) ?? fail(transferInProgress())
    await publishCall(queue, { companyId, callId })
    await availabilityChanged(queue, companyId, [to])
    return { transferId, toEmployeeId: to, edgeId }
  })
}
