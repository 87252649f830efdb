import type { Tx } from '../../platform/db/database.ts'
import { availabilityChanged } from '../employees/index.ts'
import { lockQueue } from '../queue/index.ts'
import type { CallRef } from './call-ref.ts'
import { tellOfCall } from './live-calls.ts'
import { insertParticipant, updateController, updateState, updateTransfer } from './queries.ts'

/** What the edge says of a transfer that it runs. */
export interface TransferRef extends CallRef {
  transferId: string
  fromEmployeeId: string
  toEmployeeId: string
}

/** The customer waits; the call counts as answered until it is over. */
export function transferBegun(tx: Tx, ref: TransferRef): Promise<void> {
  return change(tx, ref, async () => {
    await updateState(tx, ref.companyId, ref.callId, 'answered')
  })
}

export function transferAnswered(tx: Tx, ref: TransferRef): Promise<void> {
  return change(tx, ref, async () => {
    await updateTransfer(tx, ref.companyId, ref.transferId, 'consulting')
  })
}

/** The customer is with the other employee now. */
export function transferCompleted(tx: Tx, ref: TransferRef, at: Date): Promise<void> {
  return change(tx, ref, async () => {
    const { companyId, callId, toEmployeeId } = ref
    await updateTransfer(tx, companyId, ref.transferId, 'completed')
    await updateController(tx, companyId, callId, toEmployeeId)
    await insertParticipant(tx, companyId, callId, toEmployeeId, at)
    await updateState(tx, companyId, callId, 'bridged')
  })
}

/** The customer is back with who had the call. */
export function transferCancelled(tx: Tx, ref: TransferRef): Promise<void> {
  return change(tx, ref, async () => {
    await updateTransfer(tx, ref.companyId, ref.transferId, 'cancelled')
    await updateState(tx, ref.companyId, ref.callId, 'bridged')
  })
}

/** It never began. */
export function transferFailed(tx: Tx, ref: TransferRef): Promise<void> {
  return change(tx, ref, async () => {
    await updateTransfer(tx, ref.companyId, ref.transferId, 'failed')
  })
}

async function change(tx: Tx, ref: TransferRef, run: () => Promise<void>): Promise<void> {
  await lockQueue(tx, ref.companyId)
  await run()
  await tellOfCall(tx, ref)
  await availabilityChanged(tx, ref.companyId, [ref.fromEmployeeId, ref.toEmployeeId])
}
