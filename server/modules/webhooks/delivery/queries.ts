import type { Sql, Tx } from '../../../platform/db/database.ts'
import type { SubscriptionRef } from './lease-queries.ts'

/** A delivery that is due. */
export interface DueDelivery {
  /** The index of the request that it belongs to, from 1. */
  place: number
  id: string
  eventName: string
  eventId: string
  tries: number
  /** The number of replays when it was read. */
  replays: number
}

export interface EventRef {
  companyId: string
  eventId: string
}

/** An event with its data. */
export interface EventRow {
  companyId: string
  id: string
  createdAt: Date
  /** JSON; null if it is sealed. */
  data: string | null
  dataSealed: Buffer | null
  recordingKey: string | null
}

/** How many deliveries of a subscription to read. */
export interface PrefetchRequest extends SubscriptionRef {
  room: number
}

/** An array literal of PostgreSQL. Ids, times and states need no quotes, and there are thousands a second. */
const unquoted = (values: (string | null)[]) => `{${values.map((value) => value ?? 'null').join(',')}}`

/** Due deliveries that are not already `held`, of subscriptions that this worker has leased. */
export function selectDue(sql: Sql, holder: string, wanted: PrefetchRequest[], held: string[], now: Date) {
  return sql<DueDelivery[]>`
    with held as materialized (select unnest(${unquoted(held)}::uuid[]) as id)
    select w.place::int, d.id, d.event_name as "eventName", d.event_id as "eventId", d.tries, d.replays
    from unnest(
      ${wanted.map((one) => one.companyId)}::uuid[],
      ${wanted.map((one) => one.subscriptionId)}::uuid[],
      ${wanted.map((one) => one.room)}::int[]
    ) with ordinality as w (company_id, id, room, place)
    join webhook_subscriptions s on s.company_id = w.company_id and s.id = w.id
    cross join lateral (
      (
        select id, event_name, event_id, tries, replays from webhook_deliveries
        where company_id = w.company_id and subscription_id = w.id and status = 'pending'
          and next_attempt_at is null and id not in (select id from held)
        -- In the order of the index of due deliveries: by id alone, all past deliveries would be scanned.
        order by next_attempt_at nulls first, id limit w.room
      )
      union all
      (
        select id, event_name, event_id, tries, replays from webhook_deliveries
        where company_id = w.company_id and subscription_id = w.id and status = 'pending'
          and next_attempt_at <= ${now} and id not in (select id from held)
        order by next_attempt_at, id limit w.room
      )
      limit w.room
    ) d
    where s.active and s.leased_by = ${holder}`
}

export function selectEvents(sql: Sql, refs: EventRef[]) {
  return sql<EventRow[]>`
    select e.company_id as "companyId", e.id, e.created_at as "createdAt", e.data::text as data,
      e.data_sealed as "dataSealed", e.recording_key as "recordingKey"
    from unnest(${unquoted(refs.map((ref) => ref.companyId))}::uuid[], ${unquoted(refs.map((ref) => ref.eventId))}::uuid[])
      as wanted (company_id, id)
    join events e on e.company_id = wanted.company_id and e.id = wanted.id`
}

export interface DeliveryAttempt {
  at: string
  status_code: number | null
  outcome: string
  duration_ms: number
}

/** The outcome of a delivery attempt. */
export interface AttemptResult extends SubscriptionRef {
  id: string
  status: 'pending' | 'succeeded' | 'failed'
  /** The receiver responded with 410. */
  gone: boolean
  nextAttemptAt: string | null
  /** As read before the attempt. */
  replays: number
  attempt: DeliveryAttempt
}

const ATTEMPTS_KEPT = 20

/**
 * A delivery that was replayed meanwhile stays due, and the attempt is only added to its log.
 *
 * JSON has no line breaks of its own, so attempts are sent as lines: an array would escape each of their quotes.
 */
export function saveAttemptResults(tx: Tx, finished: AttemptResult[]) {
  return tx`
    update webhook_deliveries d
    set status = case when d.replays = f.replays then f.status else d.status end,
      next_attempt_at = case when d.replays = f.replays then f.next_attempt_at else d.next_attempt_at end,
      tries = case when d.replays = f.replays then d.tries + 1 else d.tries end,
      attempts = case when jsonb_array_length(d.attempts) < ${ATTEMPTS_KEPT} then d.attempts else d.attempts - 0 end
        || f.attempt
    from unnest(
      ${unquoted(finished.map((one) => one.companyId))}::uuid[],
      ${unquoted(finished.map((one) => one.subscriptionId))}::uuid[],
      ${unquoted(finished.map((one) => one.id))}::uuid[],
      ${unquoted(finished.map((one) => one.status))}::text[],
      ${unquoted(finished.map((one) => one.nextAttemptAt))}::timestamptz[],
      ${unquoted(finished.map((one) => String(one.replays)))}::int[],
      string_to_array(${finished.map((one) => JSON.stringify(one.attempt)).join('\n')}, chr(10))::jsonb[]
    ) as f (company_id, subscription_id, id, status, next_attempt_at, replays, attempt)
    where d.company_id = f.company_id and d.subscription_id = f.subscription_id and d.id = f.id
      and d.status = 'pending'`
}

export function deactivateSubscriptions(tx: Tx, gone: SubscriptionRef[]) {
  return tx`
    update webhook_subscriptions s set active = false, updated_at = now()
    from unnest(${gone.map((one) => one.companyId)}::uuid[], ${gone.map((one) => one.subscriptionId)}::uuid[])
      as gone (company_id, id)
    where s.company_id = gone.company_id and s.id = gone.id`
}

/** Deletes at most `limit` events and as many deliveries of that age; returns the larger of the two numbers. */
export async function deleteEventsBefore(sql: Sql, time: Date, limit: number): Promise<number> {
  // Ids begin with their time, so the old ones of each subscription are adjacent.
  const deliveries = await sql`
    delete from webhook_deliveries where ctid = any(array(
      select old.ctid from webhook_subscriptions s cross join lateral (
        select ctid from webhook_deliveries d
        where d.company_id = s.company_id and d.subscription_id = s.id
          and d.id < (lpad(to_hex(${time.getTime()}::bigint), 12, '0') || repeat('0', 20))::uuid
        order by d.id limit ${limit}
      ) as old
      limit ${limit}
    ))`
  const events = await sql`
    delete from events where (company_id, id) in (
      select company_id, id from events where created_at < ${time} order by created_at limit ${limit}
    )`
  return Math.max(deliveries.count, events.count)
}

/** The transaction counts as committed before it has reached the disk. */
export const commitWithoutDisk = (tx: Tx) => tx`set local synchronous_commit to off`
