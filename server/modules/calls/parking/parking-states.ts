import type { Tx } from '../../../platform/db/database.ts'
import { findEmployee } from '../../employees/index.ts'
import { availabilityChanged, type QueueTx, withdrawOffers, withQueue } from '../../queue/index.ts'
import type { CallRef } from '../live/call-ref.ts'
import { publishCall } from '../live/live-calls.ts'
import { insertParticipant, lockCall, updateController } from '../live/queries.ts'
import { updateState } from '../live/step-queries.ts'
import { clearController, deleteParkedCall, isParked } from './queries.ts'

/** The employee who parked the call is free, and the customer hears music. */
export function callParked(tx: Tx, ref: CallRef, employeeId: string): Promise<void> {
  return change(tx, ref, async (queue) => {
    await updateState(queue, ref.companyId, ref.callId, 'answered')
    await clearController(queue, ref.companyId, ref.callId, employeeId)
    return [employeeId]
  })
}

/** The edge did not park it. */
export function callNotParkedAtAll(tx: Tx, ref: CallRef): Promise<void> {
  return change(tx, ref, async (queue) => {
    await deleteParkedCall(queue, ref.companyId, ref.callId)
    return []
  })
}

/** Whether the phones of the employee may ring for a parked call. Then they control it, and are offered no other. */
export function ringForParkedCall(tx: Tx, ref: CallRef, employeeId: string): Promise<boolean> {
  const { companyId, callId } = ref
  return withQueue(tx, companyId, async (queue) => {
    const call = await lockCall(queue, companyId, callId)
    const employee = await findEmployee(queue, companyId, employeeId)
    if (!call || employee?.status !== 'available' || !(await isParked(queue, companyId, callId))) return false
    await updateController(queue, companyId, callId, employeeId)
    await publishCall(queue, ref)
    const before = call.controller_id === null ? [] : [call.controller_id]
    await availabilityChanged(queue, companyId, [employeeId, ...before])
    return true
  })
}

/** They did not answer. The call stays parked. */
export function parkedCallNotTaken(tx: Tx, ref: CallRef, employeeId: string): Promise<void> {
  return change(tx, ref, async (queue) => {
    if (await isParked(queue, ref.companyId, ref.callId))
      await clearController(queue, ref.companyId, ref.callId, employeeId)
    return [employeeId]
  })
}

export function parkedCallTaken(tx: Tx, ref: CallRef, employeeId: string, at: Date): Promise<void> {
  return change(tx, ref, async (queue) => {
    const { companyId, callId } = ref
    const before = (await lockCall(queue, companyId, callId))?.controller_id
    await deleteParkedCall(queue, companyId, callId)
    await updateController(queue, companyId, callId, employeeId)
    await insertParticipant(queue, companyId, callId, employeeId, at)
    await updateState(queue, companyId, callId, 'bridged')
    await withdrawOffers(queue, companyId, employeeId)
    return [employeeId, ...(before ? [before] : [])]
  })
}

/** `run` returns the employees whose availability may have changed. */
function change(tx: Tx, ref: CallRef, run: (tx: QueueTx) => Promise<string[]>): Promise<void> {
  return withQueue(tx, ref.companyId, async (queue) => {
    const employees = await run(queue)
    await publishCall(queue, ref)
    await availabilityChanged(queue, ref.companyId, employees)
  })
}
