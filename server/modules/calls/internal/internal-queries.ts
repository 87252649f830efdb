import type { Queryable } from '../../../platform/db/database.ts'
import { allValues, firstRow, firstValue, hasRow, oneValue } from '../../../platform/db/rows.ts'
import { employeesEver } from '../../employees/index.ts'
import type { QueueTx } from '../../queue/index.ts'
import type { InternalCall } from './schemas.ts'

export interface NewInternalCall {
  companyId: string
  edgeId: string
  from: { employeeId: string; extension: string }
  to: { employeeId: string; extension: string }
  startedAt: Date
}

export function insertInternalCall(tx: QueueTx, { companyId, edgeId, from, to, startedAt }: NewInternalCall) {
  return oneValue(tx<{ id: string }[]>`
    insert into internal_calls (
      company_id, edge_id, from_employee_id, from_extension, to_employee_id, to_extension, started_at
    ) values (
      ${companyId}, ${edgeId}, ${from.employeeId}, ${from.extension}, ${to.employeeId}, ${to.extension}, ${startedAt}
    ) returning id`)
}

/** False if the call has ended. */
export function updateInternalAnswered(tx: QueueTx, companyId: string, id: string, at: Date) {
  return hasRow(tx`
    update internal_calls set state = 'answered', answered_at = ${at}
    where company_id = ${companyId} and id = ${id} and state = 'initiated' returning id`)
}

/** Replaces the coworker who was called by the one who answers. False if the call has ended. */
export function updateInternalPickedUp(
  tx: QueueTx,
  companyId: string,
  id: string,
  { by, at }: { by: string; at: Date },
) {
  return hasRow(tx`
    update internal_calls set state = 'answered', answered_at = ${at}, to_employee_id = ${by}
    where company_id = ${companyId} and id = ${id} and state = 'initiated' returning id`)
}

/** Of a call that has not ended. */
export function selectInternalParties(sql: Queryable, companyId: string, id: string) {
  return firstRow(sql<
    {
      from_employee_id: string
      to_employee_id: string
      edge_id: string
      state: 'initiated' | 'answered'
    }[]
  >`
    select from_employee_id, to_employee_id, edge_id, state from internal_calls
    where company_id = ${companyId} and id = ${id} and state <> 'ended'`)
}

/** The newest one in which the employee talks to a coworker. */
export function selectInternalCallOf(sql: Queryable, companyId: string, employeeId: string) {
  return firstValue(sql<{ id: string }[]>`
    select id from internal_calls
    where company_id = ${companyId} and ${employeeId} in (from_employee_id, to_employee_id) and state = 'answered'
    order by id desc limit 1`)
}

/** The two employees; undefined if the call had already ended. */
export function updateInternalEnded(tx: QueueTx, companyId: string, id: string, at: Date, reason: string) {
  return firstRow(tx<{ from_employee_id: string; to_employee_id: string }[]>`
    update internal_calls set state = 'ended', ended_at = ${at}, end_reason = ${reason}
    where company_id = ${companyId} and id = ${id} and state <> 'ended'
    returning from_employee_id, to_employee_id`)
}

/** A call that this edge has stored without getting its id. */
export function selectStartedInternalCall(sql: Queryable, call: NewInternalCall) {
  const { companyId, edgeId, from, to, startedAt } = call
  return firstValue(sql<{ id: string }[]>`
    select id from internal_calls
    where edge_id = ${edgeId} and company_id = ${companyId} and from_employee_id = ${from.employeeId}
      and to_employee_id = ${to.employeeId} and started_at = ${startedAt} and state = 'initiated'
    limit 1`)
}

export function selectInternalCallsOfEdge(sql: Queryable, edgeId: string) {
  return sql<{ company_id: string; id: string }[]>`
    select company_id, id from internal_calls
    where edge_id = ${edgeId} and state <> 'ended' order by company_id, id`
}

export function selectCompaniesCallingInsideAt(sql: Queryable, edgeId: string) {
  return allValues(sql<{ company_id: string }[]>`
    select distinct company_id from internal_calls where edge_id = ${edgeId} and state <> 'ended'`)
}

export function countInternalSince(sql: Queryable, companyId: string, since: Date) {
  return oneValue(sql<{ count: number }[]>`
    select count(*)::int as count from internal_calls
    where company_id = ${companyId} and started_at > ${since}`)
}

export interface InternalCallRow extends Omit<InternalCall, 'duration' | 'direction'> {
  ended_at: Date | null
}

/** Newest first. */
export function selectInternalCalls(
  sql: Queryable,
  companyId: string,
  {
    state,
    limit,
    olderThan,
    isLive = state !== undefined && state !== 'ended',
  }: { state?: string; limit: number; olderThan?: string; isLive?: boolean },
) {
  return sql<InternalCallRow[]>`
    select c.id, c.from_extension as "from", c.to_extension as "to", c.state, c.started_at, c.answered_at, c.ended_at,
      ${nameOf(sql, sql`c.from_employee_id`)} as from_employee, ${nameOf(sql, sql`c.to_employee_id`)} as to_employee
    from internal_calls c
    where c.company_id = ${companyId}
      ${state === undefined ? sql`` : sql`and c.state = ${state}`}
      ${isLive ? sql`and c.state <> 'ended'` : sql``}
      ${olderThan === undefined ? sql`` : sql`and c.id < ${olderThan}`}
    order by c.id desc limit ${limit}`
}

const nameOf = (sql: Queryable, id: ReturnType<Queryable>) => sql`(
  select json_build_object('id', e.id, 'name', e.name) from ${employeesEver(sql)} e
  where e.company_id = c.company_id and e.id = ${id}
)`
