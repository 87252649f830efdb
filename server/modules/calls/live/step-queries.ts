import { publishingCall, publishingUnseen } from '../../../live.ts'
import type { Fragment, Tx } from '../../../platform/db/database.ts'
import { allValues, firstRow, firstValue, hasRow, oneRow } from '../../../platform/db/rows.ts'
import { hasActiveIntegrations } from '../../context/index.ts'
import { employeeOf } from '../../employees/index.ts'
import { joiningQueue, leavingQueue, type QueueEntry, type QueueTx } from '../../queue/index.ts'
import { type ChangeAudience, audienceOf } from '../../webhooks/index.ts'
import type { LiveRecordingState } from '../recording-control/schemas.ts'
import type { LiveState } from './queries.ts'

// Each step of a call is one statement, which also publishes it on the live channel and returns who has subscribed to it:
// statements are most of the cost of a call.

export interface NewCall {
  companyId: string
  numberId: string
  edgeId: string
  remoteNumber: string
  startedAt: Date
  /** A subquery that has the company and the id of the number, or no row if there is to be no call. */
  ofNumber?: Fragment
  /** False if it enters the inbox later, by `updateInInbox` or whatever else is written of it first. */
  isInInbox?: boolean
}

/** A call that was stored, and the audience of that change. */
export interface StartedCall extends ChangeAudience {
  id: string
  has_integrations: boolean
}

const startedCall = (tx: Tx, companyId: string) =>
  tx`id, ${hasActiveIntegrations(tx, companyId)} as has_integrations, ${audienceOf(tx, companyId)},
    ${publishingCall(tx, companyId, tx`id`)} as notified`

/** Undefined if `ofNumber` has no row. */
export function insertCall(tx: Tx, call: NewCall) {
  return firstRow(tx<StartedCall[]>`
    ${insertingCall(tx, call)} returning ${startedCall(tx, call.companyId)},
      ${publishingUnseen(tx, call.companyId)} as notified_too`)
}

/** An inbound call counts as unseen as soon as it is in the inbox. */
export const insertingCall = (tx: Tx, call: NewCall) => tx`
  insert into calls (company_id, business_number_id, edge_id, direction, remote_number, state, started_at, in_inbox)
  select company_id, id, ${call.edgeId}::uuid, 'inbound', ${call.remoteNumber}, 'initiated',
    ${call.startedAt}::timestamptz, ${call.isInInbox ?? true}
  from ${call.ofNumber ?? tx`(values (${call.companyId}::uuid, ${call.numberId}::uuid)) as number (company_id, id)`}`

/** A trigger does the rest. */
export async function updateInInbox(tx: Tx, companyId: string, callId: string) {
  await tx`
    update calls set in_inbox = true
    where company_id = ${companyId} and id = ${callId} and state <> 'ended' and not in_inbox
    returning ${publishingUnseen(tx, companyId)}`
}

/** The employee who places a call controls it from the start. Undefined if they have just been deleted. */
export function insertPlacedCall(tx: QueueTx, call: NewCall, employeeId: string) {
  return firstRow(tx<StartedCall[]>`
    insert into calls (
      company_id, business_number_id, edge_id, direction, remote_number, state, started_at, initiated_by, controller_id
    )
    select company_id, ${call.numberId}::uuid, ${call.edgeId}::uuid, 'outbound', ${call.remoteNumber}, 'initiated',
      ${call.startedAt}::timestamptz, id, id
    from ${employeeOf(tx, employeeId)} where company_id = ${call.companyId}
    returning ${startedCall(tx, call.companyId)}`)
}

/** False if the call has ended. */
export function updateState(tx: Tx, companyId: string, callId: string, state: LiveState) {
  return hasRow(tx`
    update calls set state = ${state}
    where company_id = ${companyId} and id = ${callId} and state <> 'ended'
    returning ${publishingCall(tx, companyId, tx`id`)}`)
}

/** Undefined if the call has ended. */
export function updateQueued(tx: QueueTx, waiting: QueueEntry) {
  const { companyId } = waiting
  return firstRow(tx<(ChangeAudience & { is_new: boolean })[]>`
    ${updatingQueued(tx, waiting)} select is_new, ${audienceOf(tx, companyId)} from joined`)
}

export function updatingQueued(tx: QueueTx, waiting: QueueEntry) {
  const { companyId, callId } = waiting
  return tx`
    with call as (
      update calls set state = 'queued'
      where company_id = ${companyId} and id = ${callId} and state <> 'ended'
      returning id, ${publishingCall(tx, companyId, tx`id`)}
    ), joined as (${joiningQueue(tx, waiting, tx`call`)})`
}

/** Takes the call out of the queue. Returns the employees whom it was offered. */
export function updateUnqueued(tx: QueueTx, companyId: string, callId: string) {
  return allValues(tx<{ employee_id: string }[]>`
    ${leavingQueue(tx, companyId, callId)} select employee_id from rang`)
}

/** How a call is stored that somebody has answered. */
export interface AnsweredCall {
  employeeId: string
  at: Date
  state: 'answered' | 'bridged'
  recording: LiveRecordingState
  /** As far as its edge knows, nobody else was offered the call. */
  wasRungAlone?: boolean
}

/** Takes the call out of the queue, and has the employee join it unless it was already answered, or has ended. */
export function updateAnswered(tx: QueueTx, companyId: string, callId: string, answered: AnsweredCall) {
  return oneRow(tx<(ChangeAudience & { rang: string[]; is_answered: boolean })[]>`
    ${leavingQueue(tx, companyId, callId)}, ${updatingAnswered(tx, companyId, callId, answered)}
    select array(select employee_id from rang) as rang, exists (select from answered) as is_answered,
      ${audienceOf(tx, companyId)}`)
}

/** The parts that follow those of the queue. `answered` is the call, if it is answered by this. */
export function updatingAnswered(tx: QueueTx, companyId: string, callId: string, answered: AnsweredCall) {
  const { employeeId, at, state, recording } = answered
  return tx`
    answered as (
      update calls set state = ${state}, answered_at = ${at}, controller_id = ${employeeId},
        recording_state = ${recording === 'off' ? null : recording}
      where company_id = ${companyId} and id = ${callId} and state <> 'ended' and answered_at is null
      returning company_id, id, controller_id, ${publishingCall(tx, companyId, tx`id`)}
    ), joined as (
      insert into call_employees (company_id, call_id, employee_id, joined_at)
      select company_id, id, controller_id, ${at} from answered on conflict do nothing
    )`
}

interface EndedCall extends ChangeAudience {
  /** The employees whom the call was offered. */
  rang: string[]
  /** The employees who had it, and those of its open transfer. */
  busy: string[]
  /** Null if it had already ended. */
  ended: { is_answered: boolean; has_voicemail: boolean; awaits_voicemail: boolean } | null
}

/** Ends the call and all that belongs to it. A recording may become a voicemail, unless the reason rules it out. */
export function updateEnded(tx: QueueTx, companyId: string, callId: string, at: Date, reason: string) {
  return oneRow(tx<EndedCall[]>`
    ${updatingEnded(tx, companyId, callId, at, reason)}
    select array(select employee_id from rang) as rang, array(select id from busy) as busy,
      (select row_to_json(ended) from ended) as ended, ${audienceOf(tx, companyId)}`)
}

export function updatingEnded(tx: QueueTx, companyId: string, callId: string, at: Date, reason: string) {
  const hasVoicemail = tx`exists (
    select from voicemails v where v.company_id = calls.company_id and v.call_id = calls.id
  )`
  return tx`
    ${leavingQueue(tx, companyId, callId)}, busy as (
      select controller_id as id from calls
      where company_id = ${companyId} and id = ${callId} and controller_id is not null
      union
      select unnest(array[from_employee_id, to_employee_id]) from transfers
      where company_id = ${companyId} and call_id = ${callId} and state in ('ringing', 'consulting')
    ), ended as (
      update calls set state = 'ended', ended_at = ${at}, end_reason = ${reason},
        awaits_voicemail = state = 'recording' and ${reason !== 'no_voicemail'} and not ${hasVoicemail}
      where company_id = ${companyId} and id = ${callId} and state <> 'ended'
      returning answered_at is not null as is_answered, awaits_voicemail, ${hasVoicemail} as has_voicemail,
        ${publishingCall(tx, companyId, tx`id`)} as notified
    ), failed_transfers as (
      update transfers set state = 'failed', ended_at = now() from ended
      where company_id = ${companyId} and call_id = ${callId} and state in ('ringing', 'consulting')
    ), failed_outside_transfers as (
      update outside_transfers set state = 'failed' from ended
      where company_id = ${companyId} and call_id = ${callId} and state = 'ringing'
    ), unparked as (
      delete from parked_calls using ended where company_id = ${companyId} and call_id = ${callId}
    )`
}

/** A call that this edge has stored without getting its id. */
export function selectStartedCall(tx: Tx, call: NewCall) {
  const { companyId, edgeId, numberId, remoteNumber, startedAt } = call
  return firstValue(tx<{ id: string }[]>`
    select id from calls
    where edge_id = ${edgeId} and company_id = ${companyId} and business_number_id = ${numberId}
      and remote_number = ${remoteNumber} and started_at = ${startedAt} and state = 'initiated'
    limit 1`)
}
