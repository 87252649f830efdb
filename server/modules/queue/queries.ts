import type { Fragment, Queryable } from '../../platform/db/database.ts'
import { allValues, hasRow, oneRow } from '../../platform/db/rows.ts'
import { EDGE_CHANNEL } from '../edges/index.ts'
import type { QueueTx } from './with-queue.ts'

export interface QueueEntry {
  companyId: string
  callId: string
  numberId: string
  edgeId: string
  employeeIds: string[]
  joinedAt: Date
}

/**
 * A part of a larger statement: queues the call if `call` has a row, and returns whether the entry is new. A caller who
 * is already queued keeps their place; only the list of employees changes.
 */
export function upsertQueueEntry(tx: QueueTx, waiting: QueueEntry, call: Fragment) {
  const { companyId, callId, numberId, edgeId, employeeIds, joinedAt } = waiting
  return tx`
    insert into call_queue (company_id, call_id, business_number_id, edge_id, employee_ids, joined_at)
    select ${companyId}::uuid, ${callId}::uuid, ${numberId}::uuid, ${edgeId}::uuid, ${employeeIds}::uuid[], ${joinedAt}
    from ${call}
    on conflict (company_id, call_id) do update set employee_ids = excluded.employee_ids
    returning xmax = 0 as is_new`
}

export function isQueued(sql: Queryable, companyId: string, callId: string) {
  return hasRow(entryOf(sql, companyId, callId))
}

/** A subquery: who is next for a number has position 1. */
export const selectQueuePositions = (sql: Queryable, companyId: string) => sql`
  select call_id,
    row_number() over (partition by business_number_id order by joined_at, call_id)::int as position
  from call_queue where company_id = ${companyId}`

/** As a part of a larger statement. */
export const isStillQueued = (tx: QueueTx, companyId: string, callId: string) =>
  tx`exists (${entryOf(tx, companyId, callId)})`

/** The employees whom the caller waits for; none if the call is not queued. */
export function selectAwaitedEmployees(sql: Queryable, companyId: string, callId: string) {
  return allValues(sql<{ employee_id: string }[]>`
    select unnest(employee_ids) as employee_id from call_queue
    where company_id = ${companyId} and call_id = ${callId}`)
}

/** As a part of a larger statement: whether the caller waits for this employee. */
export const isAwaited = (sql: Queryable, companyId: string, callId: string, employeeId: Fragment) =>
  sql`exists (${entryOf(sql, companyId, callId)} and ${employeeId} = any(employee_ids))`

const entryOf = (sql: Queryable, companyId: string, callId: string) =>
  sql`select from call_queue where company_id = ${companyId} and call_id = ${callId}`

/** The beginning of a larger statement: removes the call from the queue. `rang` has the employees whom it was offered. */
export const deleteQueueEntry = (tx: QueueTx, companyId: string, callId: string) => tx`
  with rang as (
    delete from call_offers where company_id = ${companyId} and call_id = ${callId} returning employee_id
  ), unqueued as (
    delete from call_queue where company_id = ${companyId} and call_id = ${callId}
  )`

/** The same for a call that only this employee is offered. Its offers are deleted with it. */
export const deleteQueueEntryAlone = (tx: QueueTx, companyId: string, callId: string) => tx`
  with unqueued as (
    delete from call_queue where company_id = ${companyId} and call_id = ${callId}
  )`

/** Whether anybody else is offered the call, or has declined it. */
export const isOfferedToOthers = (tx: QueueTx, companyId: string, callId: string, employeeId: string) => tx`
  exists (
    select from call_offers
    where company_id = ${companyId} and call_id = ${callId} and employee_id <> ${employeeId}
  )`

/** An employee is offered a call. */
export interface Offer {
  employee_id: string
  call_id: string
}

/**
 * Offers each available employee to the caller who has waited longest among those the employee may answer. It begins
 * with the employees whom waiting callers may reach, since the status of everybody in a large company is expensive.
 * Notifies the edges of the offers, except of those of `ownCallId`.
 */
export function insertOffers(tx: QueueTx, companyId: string, ownCallId: string | null) {
  return tx<Offer[]>`${insertingOffers(tx, companyId)} ${selectingOffers(tx, companyId, ownCallId)}`
}

/** The beginning of a statement that makes the offers: `offered` has them. */
export const insertingOffers = (tx: QueueTx, companyId: string) => tx`
  with reachable as materialized (
    select id, do_not_disturb_activated_at, do_not_disturb_expires_at, invitation_pending
    from employees
    where company_id = ${companyId} and id = any(array(
      select unnest(employee_ids) from call_queue where company_id = ${companyId}
    ))
  ), offered as (
    insert into call_offers (company_id, call_id, employee_id)
    select ${companyId}, longest.call_id, e.id
    from reachable e
    cross join lateral (
      select q.call_id from call_queue q
      where q.company_id = ${companyId} and e.id = any(q.employee_ids) and not exists (
        select from call_offers o
        where o.company_id = q.company_id and o.call_id = q.call_id and o.employee_id = e.id
      )
      order by q.joined_at, q.call_id limit 1
    ) longest
    where employee_status(
      ${companyId}, e.id, wants_no_calls(e.do_not_disturb_activated_at, e.do_not_disturb_expires_at),
      e.invitation_pending
    ) = 'available'
    returning call_id, employee_id
  )`

/** Its end: notifies the edges, and returns the offers. */
export const selectingOffers = (tx: QueueTx, companyId: string, ownCallId: string | null) => tx`
  select offered.employee_id, offered.call_id,
    case when offered.call_id is distinct from ${ownCallId}
      then pg_notify(${EDGE_CHANNEL}, concat_ws(' ', q.edge_id, 'offers', ${companyId}::text, offered.call_id))::text
    end as notified
  from offered join call_queue q on q.company_id = ${companyId} and q.call_id = offered.call_id`

/** At the employee's own request. They have no other offer; one that they declined is renewed. */
export async function upsertOffer(tx: QueueTx, companyId: string, callId: string, employeeId: string) {
  await tx`
    insert into call_offers (company_id, call_id, employee_id) values (${companyId}, ${callId}, ${employeeId})
    on conflict (company_id, call_id, employee_id) do update set declined = false`
}

export async function deleteOffer(tx: QueueTx, companyId: string, callId: string, employeeId: string) {
  await tx`
    delete from call_offers
    where company_id = ${companyId} and call_id = ${callId} and employee_id = ${employeeId}`
}

/** Some may have been answered already, which is not stored yet. */
const PICKUP_CANDIDATES = 20

/** The calls that this employee is offered; if none is named, all that wait. First those that ring, and those that wait longest. */
export function selectCallsToPickUp(sql: Queryable, companyId: string, employeeId: string | undefined) {
  const rings = (who: ReturnType<Queryable>) => sql`exists (
    select from call_offers o
    where o.company_id = q.company_id and o.call_id = q.call_id and not o.declined ${who}
  )`
  const ofEmployee =
    employeeId === undefined ? sql`` : sql`and ${rings(sql`and o.employee_id = ${employeeId}`)}`
  return sql<{ call_id: string; edge_id: string }[]>`
    select q.call_id, q.edge_id from call_queue q
    where q.company_id = ${companyId} ${ofEmployee}
    order by ${rings(sql``)} desc, q.joined_at, q.call_id limit ${PICKUP_CANDIDATES}`
}

export function selectOfferedEmployees(sql: Queryable, companyId: string, callId: string) {
  return allValues(sql<{ employee_id: string }[]>`
    select employee_id from call_offers
    where company_id = ${companyId} and call_id = ${callId} and not declined`)
}

/** The calls of the queue that ring at these employees. */
export function selectOffersTo(sql: Queryable, companyId: string, employeeIds: readonly string[]) {
  return sql<{ employee_id: string; call_id: string }[]>`
    select employee_id, call_id from call_offers
    where company_id = ${companyId} and employee_id = any(${employeeIds}::uuid[]) and not declined`
}

/** The row stays, so that the employee is not offered to this caller again. */
export async function updateDeclined(tx: QueueTx, companyId: string, callId: string, employeeId: string) {
  await tx`
    update call_offers set declined = true
    where company_id = ${companyId} and call_id = ${callId} and employee_id = ${employeeId}`
}

/** The employee may be offered to this caller again. */
export async function deleteDeclined(tx: QueueTx, companyId: string, callId: string, employeeId: string) {
  await tx`
    delete from call_offers
    where company_id = ${companyId} and call_id = ${callId} and employee_id = ${employeeId} and declined`
}

/** Withdraws offers of queued calls. Returns them with their edges, and the transfers and internal calls that still ring. */
export function deleteOffersTo(tx: QueueTx, companyId: string, employeeId: string) {
  return oneRow(tx<WithdrawnOffers[]>`
    with withdrawn as (
      delete from call_offers o using call_queue q
      where o.company_id = ${companyId} and o.employee_id = ${employeeId} and not o.declined
        and q.company_id = o.company_id and q.call_id = o.call_id
      returning o.call_id, q.edge_id
    )
    select (select coalesce(json_agg(withdrawn), '[]') from withdrawn) as offers,
      (
        select coalesce(json_agg(json_build_object('id', id, 'call_id', call_id)), '[]') from transfers
        where company_id = ${companyId} and to_employee_id = ${employeeId} and state = 'ringing'
      ) as transfers,
      (
        select coalesce(json_agg(json_build_object('id', id, 'edge_id', edge_id)), '[]') from internal_calls
        where company_id = ${companyId} and to_employee_id = ${employeeId} and state = 'initiated'
      ) as internal_calls`)
}

/** Whether anything rings at the employee that `deleteOffersTo` would withdraw, except this call. */
export const ringsElsewhere = (tx: QueueTx, companyId: string, employeeId: string, callId: string) => tx`(
  exists (
    select from call_offers where employee_id = ${employeeId} and not declined and call_id <> ${callId}
  ) or exists (
    select from transfers
    where to_employee_id = ${employeeId} and state = 'ringing'
  ) or exists (
    select from internal_calls
    where company_id = ${companyId} and to_employee_id = ${employeeId} and state = 'initiated'
  )
)`

interface WithdrawnOffers {
  offers: { call_id: string; edge_id: string }[]
  transfers: { id: string; call_id: string }[]
  internal_calls: { id: string; edge_id: string }[]
}
