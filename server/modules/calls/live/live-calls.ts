import { publishToCompany } from '../../../live.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { fail, notFound } from '../../../platform/errors.ts'
import { lookUpForCall } from '../../context/index.ts'
import {
  availabilityChanged,
  type Offer,
  publishAvailability,
  type QueueTx,
  settleAvailability,
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
  updateInInbox,
  updateQueued,
  updateState,
  updateUnqueued,
} from './step-queries.ts'
import {
  insertUnheardCall,
  updateUnheardAnswered,
  updateUnheardAnsweredAlone,
  updateUnheardEnded,
  updateUnheardQueued,
  updateUnheardTalkEnded,
} from './unheard-queries.ts'

// The statements of a `Promise.all` are sent together, and the database runs them in that order. Statements
// and round trips are most of the cost of a call, and usually nobody subscribes to its events. A step that finds nobody
// commits with its statements.

/** Companies whose last step had to tell subscribers, or to look up the caller. Their next one does not try to commit early. */
const [subscribedCompanies, integratedCompanies] = [new Set<string>(), new Set<string>()]

const mayBeUnheard = (tx: Tx, companyId: string) => tx.mayCommitEarly && !subscribedCompanies.has(companyId)

function rememberSubscribed(companyId: string, { events }: ChangeAudience): void {
  if (events.length > 0) subscribedCompanies.add(companyId)
  else subscribedCompanies.delete(companyId)
}

interface StartOptions {
  outsideHours?: boolean
  /** The call is stored once this is fulfilled, and not if it is rejected. */
  once?: Promise<unknown>
  /** If given, the call may be stored without its place in the inbox. Then this is called, and `enterInbox` must follow. */
  onNotInInbox?(): void
  /** May be called before the call is committed, when PostgreSQL has inserted it and `once` decides. */
  onInserted?(callId: string): void
}

/** The number is no longer as it was when it was read. */
export class NumberChanged extends Error {}

/** Returns the id of the call. */
export async function startInboundCall(
  tx: Tx,
  call: NewCall,
  { outsideHours = false, once, onNotInInbox, onInserted }: StartOptions = {},
): Promise<string> {
  const { companyId } = call
  if (mayBeUnheard(tx, companyId) && !integratedCompanies.has(companyId)) {
    tx.commitNow(once)
    const row = { ...call, isInInbox: !onNotInInbox }
    const callId = (await insertUnheardCall(tx, row)) ?? fail(new NumberChanged())
    onNotInInbox?.()
    onInserted?.(callId)
    return callId
  }
  const started = (await insertCall(tx, call)) ?? fail(new NumberChanged())
  rememberSubscribed(companyId, started)
  if (started.has_integrations) integratedCompanies.add(companyId)
  else integratedCompanies.delete(companyId)
  await recordStart(tx, call, started)
  const ref = { companyId, callId: started.id }
  if (outsideHours) await recordHeard(tx, ref, started, 'call.outside_business_hours')
  await once
  return started.id
}

/** Adds a call that was stored without it to the inbox. */
export async function enterInbox(tx: Tx, { companyId, callId }: CallRef): Promise<void> {
  if (tx.mayCommitEarly) tx.commitNow()
  await updateInInbox(tx, companyId, callId)
}

/** Returns the id of the call. */
export function startOutboundCall(tx: Tx, call: NewCall, employeeId: string): Promise<string> {
  return withQueue(tx, call.companyId, async (queue) => {
    const started = (await insertPlacedCall(queue, call, employeeId)) ?? fail(notFound())
    await recordStart(queue, call, started)
    await withdrawOffers(queue, call.companyId, employeeId)
    await availabilityChanged(queue, call.companyId, [employeeId])
    return started.id
  })
}

async function recordStart(
  tx: Tx,
  { companyId, remoteNumber }: NewCall,
  { id: callId, has_integrations, ...audience }: StartedCall,
): Promise<void> {
  const ref = { companyId, callId }
  await recordHeard(tx, ref, audience, 'call.initiated')
  if (has_integrations) await lookUpForCall(tx, companyId, callId, remoteNumber)
}

export async function setCallState(tx: Tx, ref: CallRef, state: LiveState): Promise<void> {
  await updateState(tx, ref.companyId, ref.callId, state)
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
  const { companyId, callId: ownCallId } = ref
  const waiting = { ...ref, ...place }
  const toOwn = (offers: Offer[]) =>
    offers.flatMap(({ call_id, employee_id }) => (call_id === ownCallId ? employee_id : []))
  return withQueue(tx, companyId, async (queue) => {
    if (mayBeUnheard(queue, companyId)) {
      queue.commitNow()
      const [, made] = await Promise.all([
        updateUnheardQueued(queue, waiting),
        settleAvailability(queue, companyId, { ownCallId, isAnybodyFreed: false }),
      ])
      return toOwn(made)
    }
    const [joined, availability] = await Promise.all([
      updateQueued(queue, waiting),
      updateAvailability(queue, companyId, [], { ownCallId }),
    ])
    if (joined) rememberSubscribed(companyId, joined)
    if (joined && isFirst && joined.is_new) await recordHeard(queue, ref, joined, 'call.queued')
    await publishAvailability(queue, companyId, availability)
    return toOwn(availability.offers)
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
    if (mayBeUnheard(queue, companyId)) {
      queue.commitNow()
      if (answered.wasRungAlone) return updateUnheardAnsweredAlone(queue, ref, answered)
      await Promise.all([
        updateUnheardAnswered(queue, ref, answered),
        settleAvailability(queue, companyId, {}),
      ])
      return
    }
    const [{ rang, is_answered, ...audience }] = await Promise.all([
      updateAnswered(queue, companyId, callId, answered),
      withdrawOffers(queue, companyId, employeeId),
    ])
    rememberSubscribed(companyId, audience)
    // It may be bridged in the same transaction.
    if (is_answered) await recordHeard(queue, ref, audience, 'call.answered', { state: 'answered' })
    const isAnybodyFreed = rang.some((id) => id !== employeeId)
    const availability = await updateAvailability(queue, companyId, [...rang, employeeId], { isAnybodyFreed })
    await publishAvailability(queue, companyId, availability)
  })
}

interface CallEnd {
  at: Date
  reason: string
  /** As far as its edge knows, an employee has answered it. */
  wasAnswered?: boolean
}

/** Idempotent: ending a call again changes nothing. */
export function endCall(tx: Tx, ref: CallRef, { at, reason, wasAnswered }: CallEnd): Promise<void> {
  const { companyId } = ref
  return withQueue(tx, companyId, async (queue) => {
    if (mayBeUnheard(queue, companyId)) {
      queue.commitNow()
      const update = wasAnswered ? updateUnheardTalkEnded : updateUnheardEnded
      await Promise.all([update(queue, ref, at, reason), settleAvailability(queue, companyId, {})])
      return
    }
    const { freed, ...audience } = await endOne(queue, ref, at, reason)
    rememberSubscribed(companyId, audience)
    await availabilityChanged(queue, companyId, freed)
  })
}

/** Makes no offers, so that ending many calls makes them once. Returns the employees who may be available now. */
export async function endCallWithoutOffers(
  tx: QueueTx,
  ref: CallRef,
  at: Date,
  reason: string,
): Promise<string[]> {
  return (await endOne(tx, ref, at, reason)).freed
}

async function endOne(
  tx: QueueTx,
  ref: CallRef,
  at: Date,
  reason: string,
): Promise<ChangeAudience & { freed: string[] }> {
  const { rang, busy, ended, ...audience } = await updateEnded(tx, ref.companyId, ref.callId, at, reason)
  if (!ended) return { ...audience, freed: rang }
  await recordHeard(tx, ref, audience, 'call.ended')
  if (ended.awaits_voicemail) await awaitVoicemail(tx, ref, at)
  else if (!ended.is_answered && !ended.has_voicemail) await recordHeard(tx, ref, audience, 'call.lost')
  return { ...audience, freed: [...rang, ...busy] }
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

export function publishCall(tx: Tx, { companyId, callId }: CallRef): Promise<void> {
  return publishToCompany(tx, companyId, { type: 'call_update', id: callId })
}
