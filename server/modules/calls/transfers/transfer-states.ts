import type { Tx } from '../../../platform/db/database.ts'
import { type QueueTx, withdrawOffers, withQueue, availabilityChanged } from '../../queue/index.ts'
import type { CallRef } from '../live/call-ref.ts'
import { publishCall } from '../live/live-calls.ts'
import { insertParticipant, updateController } from '../live/queries.ts'
import { updateState } from '../live/step-queries.ts'
import { updateTransfer, updateTransferPickedUp } from './queries.ts'

/** A transfer as the edge that runs it reports it. */
export interface TransferRef extends CallRef {
  transferId: string
  fromEmployeeId: string
  toEmployeeId: string
}

/** The customer is on hold, so the call is `answered`, not `bridged`, until the transfer ends. */
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

/** The phone of another coworker has picked it up, who becomes the target of the transfer. */
export function transferPickedUp(tx: Tx, ref: TransferRef, rungEmployeeId: string): Promise<void> {
  return change(tx, ref, async (queue) => {
    await updateTransferPickedUp(queue, ref.companyId, ref.transferId, ref.toEmployeeId)
    await withdrawOffers(queue, ref.companyId, ref.toEmployeeId)
    await availabilityChanged(queue, ref.companyId, [rungEmployeeId])
  })
}

export function transferCompleted(tx: Tx, ref: TransferRef, at: Date): Promise<void> {
  return change(tx, ref, async (queue) => {
    const { companyId, callId, toEmployeeId } = ref
    await updateTransfer(queue, companyId, ref.transferId, 'completed')
    await updateController(queue, companyId, callId, toEmployeeId)
    await insertParticipant(queue, companyId, callId, toEmployeeId, at)
    await updateState(queue, companyId, callId, 'bridged')
  })
}

/** All three talk, so the call is `bridged` although its transfer is open. */
export function conferenceBegun(tx: Tx, ref: TransferRef, at: Date): Promise<void> {
  return change(tx, ref, async (queue) => {
    const { companyId, callId, toEmployeeId } = ref
    await insertParticipant(queue, companyId, callId, toEmployeeId, at)
    await updateState(queue, companyId, callId, 'bridged')
  })
}

/** The customer is connected with the controller again. */
export function transferCancelled(tx: Tx, ref: TransferRef): Promise<void> {
  return change(tx, ref, async (queue) => {
    await updateTransfer(queue, ref.companyId, ref.transferId, 'cancelled')
    await updateState(queue, ref.companyId, ref.callId, 'bridged')
  })
}

/** The edge never started it. */
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
