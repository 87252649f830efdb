import type { Queryable, Tx } from '../../../platform/db/database.ts'
import { allValues, firstRow, firstValue, oneValue } from '../../../platform/db/rows.ts'
import type { QueueTx } from '../../queue/index.ts'
import type { CallState } from '../schemas.ts'

export type LiveState = Exclude<CallState, 'ended'>

export async function updateController(
  tx: QueueTx,
  companyId: string,
  callId: string,
  employeeId: string | null,
) {
  await tx`
    update calls set controller_id = ${employeeId}
    where company_id = ${companyId} and id = ${callId} and state <> 'ended'`
}

export async function insertParticipant(
  tx: Tx,
  companyId: string,
  callId: string,
  employeeId: string,
  at: Date,
) {
  await tx`
    insert into call_employees (company_id, call_id, employee_id, joined_at)
    values (${companyId}, ${callId}, ${employeeId}, ${at}) on conflict do nothing`
}

/** False if the call was not waiting for a voicemail. */
export async function updateAwaitsNoVoicemail(tx: Tx, companyId: string, callId: string) {
  const { count } = await tx`
    update calls set awaits_voicemail = false
    where company_id = ${companyId} and id = ${callId} and awaits_voicemail`
  return count === 1
}

/**
 * The call's voicemail has arrived, so the call no longer waits for it. The update locks the row, which serialises two
 * writers of the same voicemail.
 */
export function holdForVoicemail(tx: Tx, companyId: string, callId: string) {
  return firstRow(tx<{ id: string; business_number_id: string; remote_number: string }[]>`
    update calls set awaits_voicemail = false where company_id = ${companyId} and id = ${callId}
    returning id, business_number_id, remote_number`)
}

export function selectCompaniesCallingAt(sql: Queryable, edgeId: string) {
  return allValues(sql<{ company_id: string }[]>`
    select distinct company_id from calls where edge_id = ${edgeId} and state <> 'ended'`)
}

/** How many calls an edge has, by direction and state, internal ones among them. */
export function countCallsOfEdge(sql: Queryable, edgeId: string) {
  return sql<{ direction: string; state: CallState; count: number }[]>`
    select direction, state, count(*)::int as count from calls
    where edge_id = ${edgeId} and state <> 'ended' group by direction, state
    union all
    select 'internal', state, count(*)::int from internal_calls
    where edge_id = ${edgeId} and state <> 'ended' group by state`
}

export function selectCallsOfEdge(sql: Queryable, edgeId: string) {
  return sql<{ company_id: string; id: string }[]>`
    select company_id, id from calls where edge_id = ${edgeId} and state <> 'ended' order by company_id, id`
}

export interface ListedCall {
  company_id: string
  id: string
  direction: 'inbound' | 'outbound' | 'internal'
  state: CallState
  /** The extension of the callee, if the call is internal. */
  remote_number: string
  /** The extension of the caller, if the call is internal. */
  number: string
  started_at: Date | null
}

/** For an operator: the calls of all companies, or of one, oldest first, internal ones among them. */
export async function listLiveCalls(sql: Queryable, companyId: string | undefined, limit: number) {
  const ofCompany = companyId === undefined ? sql`` : sql`and c.company_id = ${companyId}`
  return sql<ListedCall[]>`
    select c.company_id, c.id, c.direction, c.state, c.remote_number, n.number, c.started_at
    from ${liveTables(sql)} where c.state <> 'ended' ${ofCompany}
    union all
    select c.company_id, c.id, 'internal', c.state, c.to_extension, c.from_extension, c.started_at
    from internal_calls c where c.state <> 'ended' ${ofCompany}
    order by started_at, id limit ${limit}`
}

export interface LiveCallRow {
  id: string
  state: CallState
  direction: 'inbound' | 'outbound'
  remote_number: string
  number: string
  edge_id: string | null
  controller_id: string | null
}

const liveColumns = (sql: Queryable) => sql`
  c.id, c.state, c.direction, c.remote_number, c.edge_id, c.controller_id, n.number`
const liveTables = (sql: Queryable) => sql`
  calls c join business_numbers n on n.company_id = c.company_id and n.id = c.business_number_id`

export function lockCall(tx: Tx, companyId: string, id: string) {
  return firstRow(tx<LiveCallRow[]>`
    select ${liveColumns(tx)} from ${liveTables(tx)}
    where c.company_id = ${companyId} and c.id = ${id} for update of c`)
}

export function selectLiveCall(sql: Queryable, companyId: string, id: string) {
  return firstRow(sql<LiveCallRow[]>`
    select ${liveColumns(sql)} from ${liveTables(sql)} where c.company_id = ${companyId} and c.id = ${id}`)
}

/** The call that an employee controls, or that is being transferred to them. */
export function selectActiveCall(sql: Queryable, companyId: string, employeeId: string) {
  return firstRow(sql<LiveCallRow[]>`
    select ${liveColumns(sql)} from ${liveTables(sql)}
    where c.company_id = ${companyId} and c.state <> 'ended' and c.id in (
      select id from calls
      where company_id = ${companyId} and controller_id = ${employeeId} and state <> 'ended'
      union all
      select call_id from transfers
      where company_id = ${companyId} and to_employee_id = ${employeeId} and state in ('ringing', 'consulting')
    )
    order by (c.controller_id = ${employeeId}) desc nulls last, c.id desc limit 1`)
}

/** The business number of the last call that the employee placed. */
export function selectLastNumberShown(sql: Queryable, companyId: string, employeeId: string) {
  return firstValue(sql<{ business_number_id: string }[]>`
    select business_number_id from calls
    where company_id = ${companyId} and direction = 'outbound' and initiated_by = ${employeeId}
    order by id desc limit 1`)
}

/** Calls that employees placed, and transfers to numbers outside. */
export function countPlacedSince(sql: Queryable, companyId: string, since: Date) {
  return oneValue(sql<{ count: number }[]>`
    select (
      select count(*) from calls
      where company_id = ${companyId} and direction = 'outbound' and started_at > ${since}
    )::int + (
      select count(*) from outside_transfers where company_id = ${companyId} and started_at > ${since}
    )::int as count`)
}

export function selectTransactionTime(sql: Queryable) {
  return oneValue(sql<{ now: Date }[]>`select now()`)
}
