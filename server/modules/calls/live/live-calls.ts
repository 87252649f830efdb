import { publishToCompany } from '../../../live.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { fail, notFound } from '../../../platform/errors.ts'
import { lookUpForCall } from '../../context/index.ts'
import {
  joinQueue,
  leaveQueue,
  type QueueTx,
  withdrawOffers,
  withQueue,
  availabilityChanged,
} from '../../queue/index.ts'
import { deleteParkedCall } from '../parking/queries.ts'
import { recordCallEvent } from '../record/events.ts'
import { failOutsideTransfersOf } from '../transfers/outside-queries.ts'
import { failTransfersOf } from '../transfers/queries.ts'
import { awaitVoicemail } from './awaited-voicemail.ts'
import type { CallRef } from './call-ref.ts'
import {
  insertCall,
  insertParticipant,
  insertPlacedCall,
  type LiveState,
  type NewCall,
  selectBusyEmployees,
  updateAnswered,
  updateEnded,
  updateState,
} from './queries.ts'

// The statements of a `Promise.all` are pipelined, and the database runs them in that order. Most of the cost of a call
// is round trips.

/** Returns the id of the call. */
export async function startInboundCall(
  tx: Tx,
  call: NewCall,
  { outsideHours = false } = {},
): Promise<string> {
  const { companyId } = call
  const callId = await insertCall(tx, call)
  await publishStart(tx, call, callId)
  if (outsideHours) await recordCallEvent(tx, companyId, 'call.outside_business_hours', callId)
  // An inbound call counts as unseen as soon as it starts.
  await publishToCompany(tx, companyId, { type: 'unseen_update' })
  return callId
}

/** Returns the id of the call. */
export function startOutboundCall(tx: Tx, call: NewCall, employeeId: string): Promise<string> {
  return withQueue(tx, call.companyId, async (queue) => {
    const callId = (await insertPlacedCall(queue, call, employeeId)) ?? fail(notFound())
    await publishStart(queue, call, callId)
    await becomesBusy(queue, call.companyId, employeeId)
    return callId
  })
}

async function publishStart(tx: Tx, { companyId, remoteNumber }: NewCall, callId: string): Promise<void> {
  await Promise.all([
    recordCallEvent(tx, companyId, 'call.initiated', callId),
    publishCall(tx, { companyId, callId }),
    lookUpForCall(tx, companyId, callId, remoteNumber),
  ])
}

export async function setCallState(tx: Tx, ref: CallRef, state: LiveState): Promise<void> {
  if (await updateState(tx, ref.companyId, ref.callId, state)) await publishCall(tx, ref)
}

/** The caller waits for one of these employees. `call.queued` is published once, even if the call flow queues again. */
export function queueCall(
  tx: Tx,
  ref: CallRef,
  waiting: { numberId: string; edgeId: string; employeeIds: string[]; joinedAt: Date; isFirst: boolean },
): Promise<void> {
  const { isFirst, ...place } = waiting
  return withQueue(tx, ref.companyId, async (queue) => {
    if (!(await updateState(queue, ref.companyId, ref.callId, 'queued'))) return
    const [isNew] = await Promise.all([joinQueue(queue, { ...ref, ...place }), publishCall(queue, ref)])
    if (isFirst && isNew) await recordCallEvent(queue, ref.companyId, 'call.queued', ref.callId)
    await availabilityChanged(queue, ref.companyId, [])
  })
}

/** Nobody answered in time, so the call flow continues with its next step. */
export function unqueueCall(tx: Tx, ref: CallRef): Promise<void> {
  return withQueue(tx, ref.companyId, async (queue) => {
    await setCallState(queue, ref, 'transferring')
    const rang = await leaveQueue(queue, ref.companyId, ref.callId)
    await availabilityChanged(queue, ref.companyId, rang)
  })
}

/** An employee answers an inbound call, or a customer an outbound one. */
export function answerCall(tx: Tx, ref: CallRef, employeeId: string, at: Date): Promise<void> {
  const { companyId, callId } = ref
  return withQueue(tx, companyId, async (queue) => {
    const [rang, isAnswered] = await Promise.all([
      leaveQueue(queue, companyId, callId),
      updateAnswered(queue, companyId, callId, employeeId, at),
    ])
    if (isAnswered) {
      await Promise.all([
        insertParticipant(queue, companyId, callId, employeeId, at),
        recordCallEvent(queue, companyId, 'call.answered', callId),
        publishCall(queue, ref),
      ])
    }
    await becomesBusy(queue, companyId, employeeId, rang)
  })
}

/** An employee who answers or places a call is no longer rung for others. */
async function becomesBusy(
  tx: QueueTx,
  companyId: string,
  employeeId: string,
  others: string[] = [],
): Promise<void> {
  await withdrawOffers(tx, companyId, employeeId)
  await availabilityChanged(tx, companyId, [...others, employeeId])
}

/** Idempotent: ending a call again changes nothing. */
export function endCall(tx: Tx, ref: CallRef, at: Date, reason: string): Promise<void> {
  return withQueue(tx, ref.companyId, async (queue) =>
    availabilityChanged(queue, ref.companyId, await endCallWithoutOffers(queue, ref, at, reason)),
  )
}

/** Makes no offers, so that ending many calls makes them once. Returns the employees who may be available now. */
export async function endCallWithoutOffers(
  tx: QueueTx,
  ref: CallRef,
  at: Date,
  reason: string,
): Promise<string[]> {
  const { companyId, callId } = ref
  const [rang, busy, ended] = await Promise.all([
    leaveQueue(tx, companyId, callId),
    selectBusyEmployees(tx, companyId, callId),
    updateEnded(tx, companyId, callId, at, reason),
  ])
  if (!ended) return rang
  await Promise.all([
    failTransfersOf(tx, companyId, callId),
    failOutsideTransfersOf(tx, companyId, callId),
    deleteParkedCall(tx, companyId, callId),
    recordCallEvent(tx, companyId, 'call.ended', callId),
    publishCall(tx, ref),
  ])
  if (ended.awaits_voicemail) await awaitVoicemail(tx, ref, at)
  else if (!ended.answered_at && !ended.has_voicemail)
    await recordCallEvent(tx, companyId, 'call.lost', callId)
  return [...rang, ...busy]
}

export function publishCall(tx: Tx, { companyId, callId }: CallRef): Promise<void> {
  return publishToCompany(tx, companyId, { type: 'call_update', id: callId })
}
