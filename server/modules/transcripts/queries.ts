import type { Queryable, Sql, Tx } from '../../platform/db/database.ts'
import { firstRow, oneValue } from '../../platform/db/rows.ts'
import type { TranscriptSubject } from './subject.ts'

/** Why a recording could not be transcribed. */
export type TranscriptionFailure = 'language' | 'not_understood' | 'recording' | 'refused' | 'unavailable'

/** A recording that this worker has claimed. */
export interface TranscriptionTask {
  companyId: string
  kind: TranscriptSubject['kind']
  id: string
  /** Results under an older claim are discarded. */
  claim: string
  /** Including this one. */
  tries: number
  recordedFrom: Date | null
}

/** A recording that replaces another one is transcribed again. A company that is new to the round is next. */
export async function insertTask(
  tx: Tx,
  companyId: string,
  { kind, id }: TranscriptSubject,
  recordedFrom: Date | null,
) {
  await tx`
    insert into transcript_orders (company_id, kind, subject_id, recorded_from)
    values (${companyId}, ${kind}, ${id}, ${recordedFrom})
    on conflict (company_id, kind, subject_id) do update
    set status = 'waiting', recorded_from = excluded.recorded_from, due_at = null, claim = null,
      claimed_until = null, tries = 0, failure = null, reason = null`
  await tx`
    insert into transcript_turns (company_id) values (${companyId}) on conflict (company_id) do nothing`
}

export async function deleteTask(tx: Tx, companyId: string, { kind, id }: TranscriptSubject) {
  await tx`
    delete from transcript_orders where company_id = ${companyId} and kind = ${kind} and subject_id = ${id}`
}

/** The oldest recording of the company that is next; companies without recordings are skipped. */
export function claimTask(sql: Sql, { now, until, claim }: { now: Date; until: Date; claim: string }) {
  return firstRow(sql<TranscriptionTask[]>`
    with next as (
      select turns.company_id, waiting.place
      from transcript_turns turns cross join lateral (
        select ctid as place from transcript_orders
        where company_id = turns.company_id and status = 'waiting'
          and (due_at is null or due_at <= ${now}) and (claimed_until is null or claimed_until <= ${now})
        order by due_at nulls first, created_at limit 1 for update skip locked
      ) waiting
      order by turns.last_turn limit 1
    ),
    turn as (
      update transcript_turns set last_turn = nextval('transcript_turn_numbers')
      where company_id = (select company_id from next)
    )
    update transcript_orders set claim = ${claim}, claimed_until = ${until}, tries = tries + 1
    where ctid = any (array(select place from next))
    returning company_id as "companyId", kind, subject_id as id, claim, tries, recorded_from as "recordedFrom"`)
}

const ours = (sql: Queryable, { companyId, kind, id, claim }: TranscriptionTask) =>
  sql`company_id = ${companyId} and kind = ${kind} and subject_id = ${id} and claim = ${claim}`

export async function renewClaim(sql: Sql, order: TranscriptionTask, until: Date) {
  await sql`update transcript_orders set claimed_until = ${until} where ${ours(sql, order)}`
}

/** Releases the claim, as if it had never been made. */
export async function releaseTask(sql: Sql, order: TranscriptionTask) {
  await sql`
    update transcript_orders set claim = null, claimed_until = null, tries = tries - 1
    where ${ours(sql, order)}`
}

/** False if the claim is no longer valid: another worker has finished it, or it was withdrawn. */
export async function finishTask(tx: Tx, order: TranscriptionTask): Promise<boolean> {
  const { count } = await tx`delete from transcript_orders where ${ours(tx, order)}`
  return count === 1
}

export async function postponeTask(sql: Sql, order: TranscriptionTask, dueAt: Date, reason: string) {
  await sql`
    update transcript_orders set claim = null, claimed_until = null, due_at = ${dueAt}, reason = ${reason}
    where ${ours(sql, order)}`
}

export async function failTask(
  sql: Sql,
  order: TranscriptionTask,
  failure: TranscriptionFailure,
  reason: string,
) {
  await sql`
    update transcript_orders set status = 'failed', claim = null, claimed_until = null, failure = ${failure},
      reason = ${reason}
    where ${ours(sql, order)}`
}

/** Of one company, or of all. */
export function selectFailures(sql: Queryable, companyId: string | undefined) {
  return sql<{ failure: TranscriptionFailure; reason: string; count: number }[]>`
    select failure, reason, count(*)::int as count from transcript_orders
    where status = 'failed' ${companyId === undefined ? sql`` : sql`and company_id = ${companyId}`}
    group by failure, reason order by count desc, reason limit 100`
}

export function countWaiting(sql: Queryable, companyId: string | undefined) {
  return oneValue(sql<{ count: number }[]>`
    select count(*)::int as count from transcript_orders
    where status = 'waiting' ${companyId === undefined ? sql`` : sql`and company_id = ${companyId}`}`)
}

export async function requeueFailedTasks(tx: Tx, companyId: string | undefined): Promise<number> {
  const { count } = await tx`
    update transcript_orders set status = 'waiting', due_at = null, tries = 0, failure = null, reason = null
    where status = 'failed' ${companyId === undefined ? tx`` : tx`and company_id = ${companyId}`}`
  return count
}
