import type { Queryable, Tx } from '../../../platform/db/database.ts'
import type { Actor } from '../../../platform/http/route.ts'
import { decodeId } from '../../../platform/ids.ts'
import { findEmployees } from '../../employees/index.ts'
import { availabilityChanged, type QueueTx, withdrawOffers, withQueue } from '../../queue/index.ts'
import { CALL_LIMITS } from '../limits.ts'
import type { CallRef } from '../live/call-ref.ts'
import { durationOf } from '../record/duration.ts'
import { CALL_STATES, type CallFilter } from '../schemas.ts'
import {
  insertInternalCall,
  type InternalCallRow,
  type NewInternalCall,
  selectInternalCalls,
  updateInternalAnswered,
  updateInternalEnded,
  updateInternalPickedUp,
} from './internal-queries.ts'
import type { InternalCall } from './schemas.ts'

/** Whether the coworker is rung, or their status, which is why not. */
export type InternalCallStart = { ok: true; callId: string } | { ok: false; status: string }

/** An employee calls a coworker, who is rung only if they are available. */
export function startInternalCall(tx: Tx, call: NewInternalCall): Promise<InternalCallStart> {
  const { companyId, from, to } = call
  return withQueue(tx, companyId, async (queue): Promise<InternalCallStart> => {
    const employees = await findEmployees(queue, companyId, [from.employeeId, to.employeeId])
    const coworker = employees.find(({ id }) => id === to.employeeId)
    // One of them has just been deleted.
    if (employees.length < 2 || !coworker) return { ok: false, status: 'logged_out' }
    if (coworker.status !== 'available') return { ok: false, status: coworker.status }
    const callId = await insertInternalCall(queue, call)
    await withdrawOffers(queue, companyId, from.employeeId)
    await availabilityChanged(queue, companyId, [from.employeeId, to.employeeId])
    return { ok: true, callId }
  })
}

export function answerInternalCall(tx: Tx, ref: CallRef, employeeId: string, at: Date): Promise<void> {
  return withQueue(tx, ref.companyId, async (queue) => {
    await updateInternalAnswered(queue, ref.companyId, ref.callId, at)
    await availabilityChanged(queue, ref.companyId, [employeeId])
  })
}

/** The phone of another coworker has picked up the call. */
export function internalCallPickedUp(
  tx: Tx,
  ref: CallRef,
  { rung, ...picked }: { rung: string; by: string; at: Date },
): Promise<void> {
  return withQueue(tx, ref.companyId, async (queue) => {
    await updateInternalPickedUp(queue, ref.companyId, ref.callId, picked)
    await withdrawOffers(queue, ref.companyId, picked.by)
    await availabilityChanged(queue, ref.companyId, [rung, picked.by])
  })
}

/** Idempotent: ending a call again changes nothing. */
export function endInternalCall(tx: Tx, ref: CallRef, at: Date, reason: string): Promise<void> {
  return withQueue(tx, ref.companyId, async (queue) =>
    availabilityChanged(queue, ref.companyId, await endInternalCallWithoutOffers(queue, ref, at, reason)),
  )
}

/** Makes no offers, so that ending many calls makes them once. Returns the employees who may be available now. */
export async function endInternalCallWithoutOffers(
  tx: QueueTx,
  { companyId, callId }: CallRef,
  at: Date,
  reason: string,
): Promise<string[]> {
  const ended = await updateInternalEnded(tx, companyId, callId, at, reason)
  return ended ? [ended.from_employee_id, ended.to_employee_id] : []
}

/** Newest first. No internal call has a business number, an external number, a transcript or a wrap-up to be found by. */
export async function listInternalCalls(
  sql: Queryable,
  { companyId }: Actor,
  filter: CallFilter,
): Promise<InternalCall[]> {
  const { query, main_number_id, phone_number, outcome, after, limit } = filter
  const olderThan = after === undefined ? undefined : decodeId('ica', after)
  const isNone = Boolean(query) || [main_number_id, phone_number, outcome].some((wish) => wish !== undefined)
  if (isNone || (after !== undefined && !olderThan)) return []
  const state = CALL_STATES.find((known) => known === filter.state)
  const rows = await selectInternalCalls(sql, companyId, { state, limit, olderThan })
  return rows.map(presentInternalCall)
}

/** Newest first. */
export async function listLiveInternalCalls(sql: Queryable, { companyId }: Actor): Promise<InternalCall[]> {
  const live = await selectInternalCalls(sql, companyId, { isLive: true, limit: CALL_LIMITS.boardCalls })
  return live.map(presentInternalCall)
}

function presentInternalCall({ ended_at, ...row }: InternalCallRow): InternalCall {
  return { ...row, direction: 'internal', duration: durationOf(row.answered_at, ended_at) }
}
