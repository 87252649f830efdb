import type { Fragment, Queryable, Tx } from '../../../platform/db/database.ts'
import { firstRow, hasRow } from '../../../platform/db/rows.ts'
import type { Actor } from '../../../platform/http/route.ts'
import { contactNameOf } from '../../contacts/index.ts'
import { employeesEver } from '../../employees/index.ts'
import { transcriptionStatusOf, transcriptOf } from '../../transcripts/index.ts'
import { type Call, DIRECTIONS } from '../schemas.ts'
import { wrapUpColumns, type WrapUpRow } from '../wrap-up/queries.ts'

export interface CallRow
  extends
    WrapUpRow,
    Pick<
      Call,
      | 'id'
      | 'direction'
      | 'state'
      | 'started_at'
      | 'answered_at'
      | 'summary'
      | 'transcription'
      | 'transcription_segments'
      | 'transcription_status'
      | 'contact_name'
      | 'main_number_id'
      | 'main_number_name'
      | 'employees'
    > {
  ended_at: Date | null
  remote_number: string
  number: string
  recording_key: string | null
  control_id: string
  initiated_by: { id: string; name: string } | null
}

/** The filters of a list or search; undefined matches any value. */
export interface CallsWhere {
  numberId?: string
  remoteNumber?: string
  state?: string
  direction?: string
  outcome?: string
}

const columns = (sql: Queryable) => sql`
  c.id, c.direction, c.state, c.started_at, c.answered_at, c.ended_at, c.summary,
  ${transcriptOf(sql, sql`c.transcription`)} as transcription,
  case when ${transcriptOf(sql, sql`c.transcription`)} is not null then c.transcription_segments end
    as transcription_segments,
  ${transcriptionStatusOf(sql, 'call', {
    companyId: sql`c.company_id`,
    id: sql`c.id`,
    recordingKey: sql`c.recording_key`,
    transcription: sql`c.transcription`,
  })} as transcription_status,
  c.remote_number, c.recording_key, c.control_id,
  ${contactNameOf(sql, sql`c.company_id`, sql`c.remote_number`)} as contact_name,
  n.id as main_number_id, n.name as main_number_name, n.number, ${wrapUpColumns(sql, sql`c`)},
  (
    select json_build_object('id', e.id, 'name', e.name) from ${employeesEver(sql)} e
    where e.company_id = c.company_id and e.id = c.initiated_by
  ) as initiated_by,
  (
    select coalesce(json_agg(json_build_object('id', e.id, 'name', e.name) order by ce.joined_at, e.id), '[]')
    from call_employees ce join ${employeesEver(sql)} e on e.company_id = ce.company_id and e.id = ce.employee_id
    where ce.company_id = c.company_id and ce.call_id = c.id
  ) as employees`

const withNumber = (sql: Queryable) =>
  sql`join business_numbers n on n.company_id = c.company_id and n.id = c.business_number_id`

export function selectCall(sql: Queryable, companyId: string, id: string) {
  return firstRow(sql<CallRow[]>`
    select ${columns(sql)} from calls c ${withNumber(sql)} where c.company_id = ${companyId} and c.id = ${id}`)
}

/** False if the call already has a recording. */
export function updateRecording(tx: Tx, companyId: string, id: string, key: string) {
  return hasRow(tx`
    update calls set recording_key = ${key}
    where company_id = ${companyId} and id = ${id} and recording_key is null returning id`)
}

/** The people who may be heard in a call. */
export interface CallSpeakersRow {
  direction: Call['direction']
  recording_key: string | null
  language: string
  main_number_name: string
  remote_number: string
  /** The customer's name in the address book. */
  contact_name: string | null
  answered_at: Date | null
  /** In the order in which they joined. */
  employees: { id: string; name: string; joined_at: string }[]
}

export function selectCallSpeakers(sql: Queryable, companyId: string, id: string) {
  return firstRow(sql<CallSpeakersRow[]>`
    select c.direction, c.recording_key, n.language, n.name as main_number_name, c.remote_number,
      coalesce(c.answered_at, c.started_at) as answered_at,
      ${contactNameOf(sql, sql`c.company_id`, sql`c.remote_number`)} as contact_name,
      (
        select coalesce(
          json_agg(json_build_object('id', e.id, 'name', e.name, 'joined_at', ce.joined_at) order by ce.joined_at, e.id),
          '[]'
        )
        from call_employees ce join ${employeesEver(sql)} e on e.company_id = ce.company_id and e.id = ce.employee_id
        where ce.company_id = c.company_id and ce.call_id = c.id
      ) as employees
    from calls c ${withNumber(sql)} where c.company_id = ${companyId} and c.id = ${id}`)
}

export interface CallTranscript {
  transcription: string
  segments: { speaker: string; text: string; employee_id?: string; start_ms: number }[]
  summary: string | null
}

/** False if the call no longer exists. */
export async function updateCallTranscript(tx: Tx, companyId: string, id: string, words: CallTranscript) {
  const { count } = await tx`
    update calls set transcription = ${words.transcription},
      transcription_segments = ${tx.json(words.segments)}, summary = ${words.summary}
    where company_id = ${companyId} and id = ${id}`
  return count === 1
}

export async function updateSummary(tx: Tx, companyId: string, id: string, summary: string) {
  await tx`update calls set summary = ${summary} where company_id = ${companyId} and id = ${id}`
}

/** The summary of a call without a transcript came from its voicemail. */
export async function clearVoicemailSummary(tx: Tx, companyId: string, id: string) {
  await tx`
    update calls set summary = null
    where company_id = ${companyId} and id = ${id} and transcription is null and summary is not null`
}

/**
 * The newest calls, or the newest that are older than a given one. Each direction is read separately, backwards along
 * an index that starts with the other filters, so the cost of a page does not depend on the number of calls.
 */
export function selectNewestCalls(
  sql: Queryable,
  companyId: string,
  where: CallsWhere,
  { limit, olderThan }: { limit: number; olderThan?: string },
) {
  return sql<CallRow[]>`
    select ${columns(sql)}
    from unnest(${where.direction ? [where.direction] : [...DIRECTIONS]}::text[]) as wanted (direction)
    cross join lateral (
      select * from calls
      where company_id = ${companyId} and direction = wanted.direction ${callConditions(sql, where)}
        ${olderThan === undefined ? sql`` : sql`and id < ${olderThan}`}
      order by id desc limit ${limit}
    ) c ${withNumber(sql)}
    order by c.id desc limit ${limit}`
}

/**
 * In the order of `ids`, without calls that have been deleted. Each is looked up by itself, as by `offset 0`: planned for
 * a company of average size, a join would read all calls of a large one.
 */
export function selectCalls(sql: Queryable, companyId: string, ids: string[]) {
  return sql<CallRow[]>`
    select ${columns(sql)}
    from unnest(${ids}::uuid[]) with ordinality as found (id, place)
    cross join lateral (
      select * from calls where company_id = ${companyId} and calls.id = found.id offset 0
    ) c ${withNumber(sql)}
    order by place`
}

/** Conditions on the table `calls`, which must have no alias. */
export function callConditions(sql: Queryable, { numberId, remoteNumber, state, outcome }: CallsWhere) {
  return sql`
    ${numberId === undefined ? sql`` : sql`and business_number_id = ${numberId}`}
    ${remoteNumber === undefined ? sql`` : sql`and remote_number = ${remoteNumber}`}
    ${state === undefined ? sql`` : sql`and state = ${state}`}
    ${outcome === undefined ? sql`` : sql`and outcome = ${outcome}`}
    ${isInProgress(state) ? sql`and state <> 'ended'` : sql``}`
}

/** A prepared statement uses the partial index on live calls only if it repeats the condition of the index. */
const isInProgress = (state: string | undefined) => state !== undefined && state !== 'ended'

/** Whether the employee has talked to a caller, in a call after this time; an expression. */
export const hasTakenCalls = (
  sql: Queryable,
  { companyId, employeeId }: Actor,
  since: Fragment,
) => sql`exists (
  select from call_employees ce join calls c on c.company_id = ce.company_id and c.id = ce.call_id
  where ce.company_id = ${companyId} and ce.employee_id = ${employeeId}
    and c.direction = 'inbound' and c.created_at > ${since}
)`
