import { type LiveMessage, publishToCompany } from '../../../live.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { fail, notFound } from '../../../platform/errors.ts'
import { lookUpForCall } from '../../context/index.ts'
import {
  availabilityChanged,
  publishAvailability,
  type QueueTx,
  updateAvailability,
  withdrawOffers,
  withQueue,
} from '../../queue/index.ts'
import { type ChangeAudience, isSubscribed } from '../../webhooks/index.ts'
import { type CallEventName, recordCallEvent } from '../record/events.ts'
import { awaitVoicemail } from './awaited-voicemail.ts'
import type { CallRef } from './call-ref.ts'
import type { LiveState } from './queries.ts'
import {
  type AnsweredCall,
  insertCall,
  insertPlacedCall,
  type NewCall,
  type StartedCall,
  updateAnswered,
  updateEnded,
  updateQueued,
  updateState,
  updateUnqueued,
} from './step-queries.ts'

// The statements of a `Promise.all` are sent together, and the database runs them in that order. Statements
// and round trips are most of the cost of a call, and usually nobody subscribes to its events or follows the company.

/** Returns the id of the call. */
export async function startInboundCall(
  tx: Tx,
  call: NewCall,
  { outsideHours = false } = {},
): Promise<string> {
  const started = await insertCall(tx, call)
  const ref = { companyId: call.companyId, callId: started.id }
  await publishStart(tx, call, started)
  if (outsideHours) await recordHeard(tx, ref, started, 'call.outside_business_hours')
  // An inbound call counts as unseen as soon as it starts.
  await publishHeard(tx, ref, started, { type: 'unseen_update' })
  return started.id
}

/** Returns the id of the call. */
export function startOutboundCall(tx: Tx, call: NewCall, employeeId: string): Promise<string> {
  return withQueue(tx, call.companyId, async (queue) => {
    const started = (await insertPlacedCall(queue, call, employeeId)) ?? fail(notFound())
    await publishStart(queue, call, started)
    await withdrawOffers(queue, call.companyId, employeeId)
    await availabilityChanged(queue, call.companyId, [employeeId])
    return started.id
  })
}

async function publishStart(
  tx: Tx,
  { companyId, remoteNumber }: NewCall,
  { id: callId, has_integrations, ...audience }: StartedCall,
): Promise<void> {
  const ref = { companyId, callId }
  await recordHeard(tx, ref, audience, 'call.initiated')
  await publishHeard(tx, ref, audience)
  if (has_integrations) await lookUpForCall(tx, companyId, callId, remoteNumber)
}

export async function setCallState(tx: Tx, ref: CallRef, state: LiveState): Promise<void> {
  const audience = await updateState(tx, ref.companyId, ref.callId, state)
  if (audience) await publishHeard(tx, ref, audience)
}

interface QueuePlace {
  numberId: string
  edgeId: string
  employeeIds: string[]
  joinedAt: Date
  isFirst: boolean
}

/**
 * The caller waits for one of these employees. `call.queued` is published once, even if the call flow queues again.
 * Returns the employees who are offered the call from now on: its edge, which runs this, is not notified of them.
 */
export function queueCall(tx: Tx, ref: CallRef, { isFirst, ...place }: QueuePlace): Promise<string[]> {
  return withQueue(tx, ref.companyId, async (queue) => {
    const [joined, availability] = await Promise.all([
      updateQueued(queue, { ...ref, ...place }),
      updateAvailability(queue, ref.companyId, []),
    ])
    if (joined) {
      if (isFirst && joined.is_new) await recordHeard(queue, ref, joined, 'call.queued')
      await publishHeard(queue, ref, joined)
    }
    const isOwn = ({ call_id }: { call_id: string }) => call_id === ref.callId
    const others = availability.offers.filter((offer) => !isOwn(offer))
    await publishAvailability(queue, ref.companyId, { ...availability, offers: others })
    return availability.offers.filter(isOwn).map((offer) => offer.employee_id)
  })
}

/** Nobody answered in time, so the call flow continues with its next step. */
export function unqueueCall(tx: Tx, ref: CallRef): Promise<void> {
  return withQueue(tx, ref.companyId, async (queue) => {
    const [rang] = await Promise.all([
      updateUnqueued(queue, ref.companyId, ref.callId),
      setCallState(queue, ref, 'transferring'),
    ])
    await availabilityChanged(queue, ref.companyId, rang)
  })
}

/** An employee answers an inbound call, or a customer an outbound one. They are no longer rung for others. */
export function answerCall(tx: Tx, ref: CallRef, answered: AnsweredCall): Promise<void> {
  const { companyId, callId } = ref
  const { employeeId } = answered
  return withQueue(tx, companyId, async (queue) => {
    const [{ rang, is_answered, ...audience }] = await Promise.all([
      updateAnswered(queue, companyId, callId, answered),
      withdrawOffers(queue, companyId, employeeId),
    ])
    const [availability] = await Promise.all([
      updateAvailability(queue, companyId, [...rang, employeeId], {
        isAnybodyFreed: rang.some((id) => id !== employeeId),
      }),
      is_answered && publishAnswered(queue, ref, audience),
    ])
    await publishAvailability(queue, companyId, availability)
  })
}

async function publishAnswered(tx: QueueTx, ref: CallRef, audience: ChangeAudience): Promise<void> {
  // It may be bridged in the same transaction.
  await recordHeard(tx, ref, audience, 'call.answered', { state: 'answered' })
  await publishHeard(tx, ref, audience)
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
  const { rang, busy, ended, ...audience } = await updateEnded(tx, ref.companyId, ref.callId, at, reason)
  if (!ended) return rang
  await recordHeard(tx, ref, audience, 'call.ended')
  await publishHeard(tx, ref, audience)
  if (ended.awaits_voicemail) await awaitVoicemail(tx, ref, at)
  else if (!ended.is_answered && !ended.has_voicemail) await recordHeard(tx, ref, audience, 'call.lost')
  return [...rang, ...busy]
}

/** Reads the call only if the event is subscribed to. */
async function recordHeard(
  tx: Tx,
  { companyId, callId }: CallRef,
  audience: ChangeAudience,
  name: CallEventName,
  instead: { state?: LiveState } = {},
): Promise<void> {
  if (isSubscribed(audience, name)) await recordCallEvent(tx, companyId, name, callId, instead)
}

async function publishHeard(
  tx: Tx,
  { companyId, callId }: CallRef,
  { is_followed }: ChangeAudience,
  message: LiveMessage = { type: 'call_update', id: callId },
): Promise<void> {
  if (is_followed) await publishToCompany(tx, companyId, message)
}

export function publishCall(tx: Tx, { companyId, callId }: CallRef): Promise<void> {
  return publishToCompany(tx, companyId, { type: 'call_update', id: callId })
}
