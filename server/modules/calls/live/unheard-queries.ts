import { publishingCall, publishingUnseen } from '../../../live.ts'
import type { Fragment, Tx } from '../../../platform/db/database.ts'
import { firstValue } from '../../../platform/db/rows.ts'
import { hasActiveIntegrations } from '../../context/index.ts'
import {
  isOfferedToOthers,
  isStillQueued,
  leavingQueue,
  leavingQueueAlone,
  namingFreed,
  publishingOnCall,
  type QueueEntry,
  type QueueTx,
  ringsElsewhere,
} from '../../queue/index.ts'
import { withoutSubscribers } from '../../webhooks/index.ts'
import { awaitingVoicemail } from './awaited-voicemail.ts'
import type { CallRef } from './call-ref.ts'
import {
  type AnsweredCall,
  insertingCall,
  type NewCall,
  updatingAnswered,
  updatingEnded,
  updatingQueued,
} from './step-queries.ts'

// The steps of a call to which nobody has subscribed, in transactions that commit with these statements. What a
// statement leaves out because it is rare, it looks for: then it refuses, and the step runs in an ordinary transaction.

const refusingIf = (tx: Tx, condition: Fragment) => tx`case when ${condition} then refuse_early_commit() end`

/** Returns the id; undefined if `ofNumber` has no row. */
export function insertUnheardCall(tx: Tx, call: NewCall) {
  const { companyId, isInInbox = true } = call
  return firstValue(tx<{ id: string }[]>`
    ${insertingCall(tx, call)} returning id, ${publishingCall(tx, companyId, tx`id`)},
      ${isInInbox ? publishingUnseen(tx, companyId) : tx`null`}, ${withoutSubscribers(tx, companyId)},
      ${refusingIf(tx, hasActiveIntegrations(tx, companyId))}`)
}

/** Is followed by `settleAvailability`. */
export async function updateUnheardQueued(tx: QueueTx, waiting: QueueEntry) {
  await tx`${updatingQueued(tx, waiting)} select ${withoutSubscribers(tx, waiting.companyId)} from joined`
}

/** Is followed by `settleAvailability`. */
export async function updateUnheardAnswered(
  tx: QueueTx,
  { companyId, callId }: CallRef,
  answered: AnsweredCall,
) {
  const { employeeId } = answered
  await tx`
    ${leavingQueue(tx, companyId, callId)}, ${updatingAnswered(tx, companyId, callId, answered)}
    select ${namingFreed(tx, tx`select employee_id from rang union all select ${employeeId}::uuid`)},
      ${withoutSubscribers(tx, companyId)}, ${refusingIf(tx, ringsElsewhere(tx, companyId, employeeId, callId))}`
}

/** Nobody else was offered the call, so nobody is freed. */
export async function updateUnheardAnsweredAlone(
  tx: QueueTx,
  { companyId, callId }: CallRef,
  answered: AnsweredCall,
) {
  const { employeeId } = answered
  await tx`
    ${leavingQueueAlone(tx, companyId, callId)}, ${updatingAnswered(tx, companyId, callId, answered)},
    told as (${publishingOnCall(tx, companyId, employeeId, tx`answered`)})
    select ${withoutSubscribers(tx, companyId)},
      ${refusingIf(
        tx,
        tx`${isOfferedToOthers(tx, companyId, callId, employeeId)} or ${ringsElsewhere(tx, companyId, employeeId, callId)}`,
      )}`
}

/** Is followed by `settleAvailability`. */
export async function updateUnheardEnded(
  tx: QueueTx,
  { companyId, callId }: CallRef,
  at: Date,
  reason: string,
) {
  await tx`
    ${updatingEnded(tx, companyId, callId, at, reason)}
    select ${namingFreed(tx, tx`select employee_id from rang union all select id from busy`)},
      ${withoutSubscribers(tx, companyId)},
      (select case when awaits_voicemail then ${awaitingVoicemail(tx, { companyId, callId }, at)} end from ended)`
}

/** Ends a call that an employee has answered, and that is not in the middle of anything. Is followed by `settleAvailability`. */
export async function updateUnheardTalkEnded(
  tx: QueueTx,
  { companyId, callId }: CallRef,
  at: Date,
  reason: string,
) {
  await tx`
    with ended as (
      update calls set state = 'ended', ended_at = ${at}, end_reason = ${reason},
        awaits_voicemail = state = 'recording'
      where company_id = ${companyId} and id = ${callId} and state <> 'ended'
      returning answered_at, awaits_voicemail, controller_id, ${publishingCall(tx, companyId, tx`id`)}
    )
    select ${namingFreed(tx, tx`select controller_id from ended where controller_id is not null`)},
      ${withoutSubscribers(tx, companyId)},
      ${refusingIf(
        tx,
        tx`
        exists (select from ended where answered_at is null or awaits_voicemail)
        or ${isStillQueued(tx, companyId, callId)}
        or exists (
          select from transfers
          where company_id = ${companyId} and call_id = ${callId} and state in ('ringing', 'consulting')
        ) or exists (
          select from outside_transfers
          where company_id = ${companyId} and call_id = ${callId} and state = 'ringing'
        ) or exists (
          select from parked_calls where company_id = ${companyId} and call_id = ${callId}
        )`,
      )}`
}
