import type { Tx } from '../../../platform/db/database.ts'
import { type QueueTx, withQueue, availabilityChanged } from '../../queue/index.ts'
import type { CallRef } from '../live/call-ref.ts'
import { publishCall } from '../live/live-calls.ts'
import { insertParticipant, updateController, updateState } from '../live/queries.ts'
import { updateTransfer } from './queries.ts'

/** What the edge says of a transfer that it runs. */
export interface TransferRef extends CallRef {
  transferId: string
  fromEmployeeId: string
  toEmployeeId: string
}

/** The customer waits; the call counts as answered until it is over. */
export function transferBegun(tx: Tx, ref: TransferRef): Promise<void> {
  return change(tx, ref, async (queue) => {
    await updateState(queue, ref.companyId, ref.callId, 'answered')
  })
}

export function transferAnswered(tx: Tx, ref: TransferRef): Promise<void> {
  return change(tx, ref, async (queue) => {
    await updateTransfer(queue, ref.companyId, ref.transferId, 'consulting')
  })
}

/** The customer is with the other employee now. */
export function transferCompleted(tx: Tx, ref: TransferRef, at: Date): Promise<void> {
  return change(tx, ref, async (queue) => {
    const { companyId, callId, toEmployeeId } = ref
    await updateTransfer(queue, companyId, ref.transferId, 'completed')
    await updateController(queue, companyId, callId, toEmployeeId)
    await insertParticipant(queue, companyId, callId, toEmployeeId, at)
    await updateState(queue, companyId, callId, 'bridged')
  })
}

/** The customer is back with who had the call. */
export function transferCancelled(tx: Tx, ref: TransferRef): Promise<void> {
  return change(tx, ref, async (queue) => {
    await updateTransfer(queue, ref.companyId, ref.transferId, 'cancelled')
    await updateState(queue, ref.companyId, ref.callId, 'bridged')
  })
}

/** It never began. */
export function transferFailed(tx: Tx, ref: TransferRef): Promise<void> {
  return change(tx, ref, async (queue) => {
    await updateTransfer(queue, ref.companyId, ref.transferId, 'failed')
  })
}

function change(tx: Tx, ref: TransferRef, run: (tx: QueueTx) => Promise<void>): Promise<void> {
  return withQueue(tx, ref.companyId, async (queue) => {
    await run(queue)
    await publishCall(queue, ref)
    await availabilityChanged(queue, ref.companyId, [ref.fromEmployeeId, ref.toEmployeeId])
  })
}
