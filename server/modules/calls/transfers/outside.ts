import type { Tx } from '../../../platform/db/database.ts'
import { fail, notFound } from '../../../platform/errors.ts'
import type { Actor } from '../../../platform/http/route.ts'
import { availabilityChanged, withQueue } from '../../queue/index.ts'
import type { CallRef } from '../live/call-ref.ts'
import { publishCall } from '../live/live-calls.ts'
import { lockCall, updateController } from '../live/queries.ts'
import { updateState } from '../live/step-queries.ts'
import { transferInProgress } from './errors.ts'
import { insertOutsideTransfer, updateOutsideTransfer } from './outside-queries.ts'
import { checkController } from './transfers.ts'

export interface OutsideTransferRef extends CallRef {
  outsideTransferId: string
  /** The employee who transfers the call. */
  employeeId: string
}

/** A customer is to be transferred to a number outside the company. Returns the id. */
export function openOutsideTransfer(
  tx: Tx,
  actor: Actor,
  callId: string,
  { number, startedAt }: { number: string; startedAt: Date },
): Promise<string> {
  const { companyId, employeeId } = actor
  return withQueue(tx, companyId, async (queue) => {
    const call = (await lockCall(queue, companyId, callId)) ?? fail(notFound())
    await checkController(queue, actor, call)
    const transfer = { callId, employeeId, number, startedAt }
    const id = (await insertOutsideTransfer(queue, companyId, transfer)) ?? fail(transferInProgress())
    return id
  })
}

/** The customer talks to somebody outside. The employee has left, and nobody controls the call. */
export function outsideTransferCompleted(tx: Tx, ref: OutsideTransferRef): Promise<void> {
  const { companyId, callId, outsideTransferId, employeeId } = ref
  return withQueue(tx, companyId, async (queue) => {
    await updateOutsideTransfer(queue, companyId, outsideTransferId, 'completed')
    await updateController(queue, companyId, callId, null)
    await updateState(queue, companyId, callId, 'bridged')
    await publishCall(queue, ref)
    await availabilityChanged(queue, companyId, [employeeId])
  })
}

/** Nobody answered, or the edge never started it. */
export function outsideTransferFailed(tx: Tx, ref: OutsideTransferRef): Promise<void> {
  const { companyId, outsideTransferId } = ref
  return withQueue(tx, companyId, async (queue) => {
    await updateOutsideTransfer(queue, companyId, outsideTransferId, 'failed')
  })
}
