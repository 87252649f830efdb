import { tellCompany } from '../../live.ts'
import type { Tx } from '../../platform/db/database.ts'
import { recordCallEvent } from '../calls/index.ts'
import { lookUpForCall } from '../context/index.ts'
import { availabilityChanged } from '../employees/index.ts'
import { joinQueue, leaveQueue, lockQueue, withdrawOffers } from '../queue/index.ts'
import { awaitVoicemail } from './awaited-voicemail.ts'
import type { CallRef } from './call-ref.ts'
import {
  failTransfersOf,
  insertCall,
  insertParticipant,
  type NewCall,
  selectBusyWith,
  updateAnswered,
  updateEnded,
  updateState,
} from './queries.ts'
import type { CallState } from './schemas.ts'

// What is in one `Promise.all` here is sent together, and done by the database in that order: most of what a call costs
// is the way there and back.

/** A call begins. Returns its id. */
export async function openCall(tx: Tx, call: NewCall, { outsideHours = false } = {}): Promise<string> {
  const { companyId, initiatedBy } = call
  if (initiatedBy) await lockQueue(tx, companyId)
  const callId = await insertCall(tx, call)
  await Promise.all([
    recordCallEvent(tx, companyId, 'call.initiated', callId),
    tellOfCall(tx, { companyId, callId }),
    lookUpForCall(tx, companyId, callId, call.remoteNumber),
  ])
  if (outsideHours) await recordCallEvent(tx, companyId, 'call.outside_business_hours', callId)
  if (initiatedBy) await becomesBusy(tx, companyId, initiatedBy)
  // Nobody has seen what comes in, from the moment it does.
  else await tellCompany(tx, companyId, { type: 'unseen_update' })
  return callId
}

export async function moveCall(tx: Tx, ref: CallRef, state: CallState): Promise<void> {
  if (await updateState(tx, ref.companyId, ref.callId, state)) await tellOfCall(tx, ref)
}

/** The caller waits for one of these employees; told of once, however often the flow goes on to others. */
export async function queueCall(
  tx: Tx,
  ref: CallRef,
  waiting: { numberId: string; edgeId: string; employeeIds: string[]; joinedAt: Date; isFirst: boolean },
): Promise<void> {
  const { isFirst, ...place } = waiting
  const [, isLive] = await Promise.all([
    lockQueue(tx, ref.companyId),
    updateState(tx, ref.companyId, ref.callId, 'queued'),
  ])
  if (!isLive) return
  const [isNew] = await Promise.all([joinQueue(tx, { ...ref, ...place }), tellOfCall(tx, ref)])
  if (isFirst && isNew) await recordCallEvent(tx, ref.companyId, 'call.queued', ref.callId)
  await availabilityChanged(tx, ref.companyId, [])
}

/** Nobody came in time: the flow goes on without the queue. */
export async function unqueueCall(tx: Tx, ref: CallRef): Promise<void> {
  await lockQueue(tx, ref.companyId)
  await moveCall(tx, ref, 'transferring')
  const rang = await leaveQueue(tx, ref.companyId, ref.callId)
  await availabilityChanged(tx, ref.companyId, rang)
}

/** An employee takes the call of a customer, or a customer the call of an employee. */
export async function answerCall(tx: Tx, ref: CallRef, employeeId: string, at: Date): Promise<void> {
  const { companyId, callId } = ref
  const [, rang, isAnswered] = await Promise.all([
    lockQueue(tx, companyId),
    leaveQueue(tx, companyId, callId),
    updateAnswered(tx, companyId, callId, employeeId, at),
  ])
  if (isAnswered) {
    await Promise.all([
      insertParticipant(tx, companyId, callId, employeeId, at),
      recordCallEvent(tx, companyId, 'call.answered', callId),
      tellOfCall(tx, ref),
    ])
  }
  await becomesBusy(tx, companyId, employeeId, rang)
}

/** What else rings at who takes a call, or places one, stops. */
async function becomesBusy(
  tx: Tx,
  companyId: string,
  employeeId: string,
  others: string[] = [],
): Promise<void> {
  await withdrawOffers(tx, companyId, employeeId)
  await availabilityChanged(tx, companyId, [...others, employeeId])
}

/** Once: whoever comes second changes nothing. */
export async function endCall(tx: Tx, ref: CallRef, at: Date, reason: string): Promise<void> {
  const [, freed] = await Promise.all([lockQueue(tx, ref.companyId), takeDown(tx, ref, at, reason)])
  await availabilityChanged(tx, ref.companyId, freed)
}

/** Without a look at the queue, for who ends many. The caller holds its lock. Returns whom it makes free. */
export async function takeDown(tx: Tx, ref: CallRef, at: Date, reason: string): Promise<string[]> {
  const { companyId, callId } = ref
  const [rang, busy, ended] = await Promise.all([
    leaveQueue(tx, companyId, callId),
    selectBusyWith(tx, companyId, callId),
    updateEnded(tx, companyId, callId, at, reason),
  ])
  if (!ended) return rang
  await Promise.all([
    failTransfersOf(tx, companyId, callId),
    recordCallEvent(tx, companyId, 'call.ended', callId),
    tellOfCall(tx, ref),
  ])
  if (ended.awaits_voicemail) await awaitVoicemail(tx, ref, at)
  else if (!ended.answered_at && !ended.has_voicemail)
    await recordCallEvent(tx, companyId, 'call.lost', callId)
  return [...rang, ...busy]
}

export function tellOfCall(tx: Tx, { companyId, callId }: CallRef): Promise<void> {
  return tellCompany(tx, companyId, { type: 'call_update', id: callId })
}
