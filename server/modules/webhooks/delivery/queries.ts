import type { Sql, Tx } from '../../../platform/db/database.ts'

/** A delivery that this worker has to make now, with all that it takes. */
export interface Claimed {
  companyId: string
  id: string
  subscriptionId: string
  eventName: string
  eventId: string
  happenedAt: Date
  /** JSON; null if it is sealed. */
  data: string | null
  dataSealed: Buffer | null
  recordingKey: string | null
  tries: number
  url: string
  secretSealed: Buffer
  /** Still honoured, for a while after a rotation. */
  previousSecretSealed: Buffer | null
}

/** How many more deliveries a subscription may have under way in this worker. */
export interface Room {
  subscriptionId: string
  free: number
}

interface ClaimOptions {
  now: Date
  until: Date
  /** Of all. */
  limit: number
  /** Of each subscription that `rooms` does not name. */
  perSubscription: number
  rooms: Room[]
}

/**
 * Takes what is due. Goes from subscription to subscription along the index, however many deliveries each has
 * waiting, and takes from all companies in turn: neither a long queue nor many subscriptions push others back.
 */
export function claimDeliveries(tx: Tx, { now, until, limit, perSubscription, rooms }: ClaimOptions) {
  return tx<Claimed[]>`
    with recursive waiting as (
      (
        select company_id, subscription_id from webhook_deliveries where status = 'pending'
        order by company_id, subscription_id limit 1
      )
      union all
      select next.* from waiting cross join lateral (
        select company_id, subscription_id from webhook_deliveries
        where status = 'pending'
          and (company_id, subscription_id) > (waiting.company_id, waiting.subscription_id)
        order by company_id, subscription_id limit 1
      ) next
    ),
    open as (
      select s.*, coalesce(room.free, ${perSubscription}) as free
      from waiting join webhook_subscriptions s on s.company_id = waiting.company_id and s.id = waiting.subscription_id
      left join unnest(${rooms.map((room) => room.subscriptionId)}::uuid[], ${rooms.map((room) => room.free)}::int[])
        as room (id, free) on room.id = s.id
      where s.active
    ),
    due as (
      select d.company_id, d.id, open.url, open.secret_sealed,
        case when open.previous_secret_until > ${now} then open.previous_secret_sealed end as previous_secret_sealed,
        row_number() over (partition by d.company_id order by d.id) as turn
      from open cross join lateral (
        select company_id, id from webhook_deliveries
        where company_id = open.company_id and subscription_id = open.id and status = 'pending'
          and (next_attempt_at is null or next_attempt_at <= ${now})
          and (claimed_until is null or claimed_until <= ${now})
        order by next_attempt_at nulls first, id
        limit open.free for update skip locked
      ) d
      order by turn limit ${limit}
    )
    update webhook_deliveries d set claimed_until = ${until}
    from due join events e on e.company_id = due.company_id
    where d.company_id = due.company_id and d.id = due.id and e.id = d.event_id
    returning d.company_id as "companyId", d.id, d.subscription_id as "subscriptionId", d.event_name as "eventName",
      d.event_id as "eventId", e.created_at as "happenedAt", e.data::text as data, e.data_sealed as "dataSealed",
      e.recording_key as "recordingKey", d.tries,
      due.url, due.secret_sealed as "secretSealed", due.previous_secret_sealed as "previousSecretSealed"`
}

export interface Attempt {
  at: string
  status_code: number | null
  outcome: string
  duration_ms: number
}

/** What became of a delivery that was under way. */
export interface Finished {
  companyId: string
  id: string
  status: 'pending' | 'succeeded' | 'failed'
  nextAttemptAt: string | null
  attempt: Attempt
}

const ATTEMPTS_KEPT = 20

export async function saveFinished(tx: Tx, finished: Finished[]): Promise<void> {
  if (finished.length === 0) return
  await tx`
    update webhook_deliveries d
    set status = f.status, next_attempt_at = f."nextAttemptAt", claimed_until = null, tries = d.tries + 1,
      attempts = case when jsonb_array_length(d.attempts) < ${ATTEMPTS_KEPT} then d.attempts else d.attempts - 0 end
        || jsonb_build_array(f.attempt)
    from jsonb_to_recordset(${tx.json(finished as never)}::jsonb)
      as f ("companyId" uuid, id uuid, status text, "nextAttemptAt" timestamptz, attempt jsonb)
    where d.company_id = f."companyId" and d.id = f.id and d.status = 'pending'`
}

/** Gives back what was not done, for another worker. */
export async function releaseDeliveries(sql: Sql, deliveries: { companyId: string; id: string }[]) {
  await sql`
    update webhook_deliveries d set claimed_until = null
    from unnest(${deliveries.map((one) => one.companyId)}::uuid[], ${deliveries.map((one) => one.id)}::uuid[])
      as given (company_id, id)
    where d.company_id = given.company_id and d.id = given.id`
}

/** The receiver said that it is gone for good. */
export async function deactivateSubscription(tx: Tx, companyId: string, id: string): Promise<void> {
  await tx`
    update webhook_subscriptions set active = false, updated_at = now()
    where company_id = ${companyId} and id = ${id}`
}

/** Their deliveries go with them. Says how many it found, at most `limit`. */
export async function deleteEventsBefore(sql: Sql, time: Date, limit: number): Promise<number> {
  const { count } = await sql`
    delete from events where (company_id, id) in (
      select company_id, id from events where created_at < ${time} order by created_at limit ${limit}
    )`
  return count
}
