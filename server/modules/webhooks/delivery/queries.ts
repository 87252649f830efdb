import type { Database, Sql, Tx } from '../../../platform/db/database.ts'

/** A delivery that this worker has to make now. */
export interface Claimed {
  companyId: string
  subscriptionId: string
  id: string
  eventName: string
  eventId: string
  happenedAt: Date
  /** JSON; null if it is sealed. */
  data: string | null
  dataSealed: Buffer | null
  recordingKey: string | null
  tries: number
}

/** Where deliveries of a subscription go. */
export interface EndpointRow {
  id: string
  url: string
  secretSealed: Buffer
  /** Still honoured, for a while after a rotation. */
  previousSecretSealed: Buffer | null
}

/** How many more deliveries a subscription may have claimed by this worker. */
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

interface Turn extends ClaimOptions {
  finished: Finished[]
  givenBack: Claimed[]
}

/**
 * Writes down what has ended and takes what is due. If the machine dies before this has reached its disk, deliveries
 * are made once more, which at-least-once allows; so nobody waits for the disk.
 */
export function takeTurn(
  db: Database,
  { finished, givenBack, ...options }: Turn,
): Promise<{ claimed: Claimed[]; endpoints: EndpointRow[] }> {
  const gone = finished.filter((one) => one.gone)
  return db.tx(async (tx) => {
    // Sent together: the answers come in order.
    const writing = [tx`set local synchronous_commit to off`]
    if (finished.length > 0) writing.push(saveFinished(tx, finished))
    if (gone.length > 0) writing.push(deactivateSubscriptions(tx, gone))
    if (givenBack.length > 0) writing.push(releaseDeliveries(tx, givenBack))
    const claiming = options.limit > 0 ? claimDeliveries(tx, options) : []
    await Promise.all(writing)
    const claimed = await claiming
    return { claimed, endpoints: await selectEndpoints(tx, claimed, options.now) }
  })
}

/**
 * Takes what is due. Goes from subscription to subscription along the index, however many deliveries each has
 * waiting, and takes from all companies in turn: neither a long queue nor many subscriptions push others back.
 */
function claimDeliveries(tx: Tx, { now, until, limit, perSubscription, rooms }: ClaimOptions) {
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
      select d.place, row_number() over (partition by open.company_id order by d.id) as turn
      from open cross join lateral (
        select ctid as place, id from webhook_deliveries
        where company_id = open.company_id and subscription_id = open.id and status = 'pending'
          and (next_attempt_at is null or next_attempt_at <= ${now})
          and (claimed_until is null or claimed_until <= ${now})
        order by next_attempt_at nulls first, id
        limit open.free for update skip locked
      ) d
      order by turn limit ${limit}
    ),
    claimed as (
      update webhook_deliveries set claimed_until = ${until}
      -- As a list of places: for a join, the whole table would be read.
      where ctid = any (array(select place from due)) returning *
    )
    select c.company_id as "companyId", c.subscription_id as "subscriptionId", c.id, c.event_name as "eventName",
      c.event_id as "eventId", e.created_at as "happenedAt", e.data::text as data, e.data_sealed as "dataSealed",
      e.recording_key as "recordingKey", c.tries
    from claimed c join events e on e.company_id = c.company_id and e.id = c.event_id`
}

function selectEndpoints(tx: Tx, claimed: Claimed[], now: Date): Promise<EndpointRow[]> | EndpointRow[] {
  if (claimed.length === 0) return []
  const companies = new Map(claimed.map((one) => [one.subscriptionId, one.companyId]))
  return tx<EndpointRow[]>`
    select s.id, url, secret_sealed as "secretSealed",
      case when previous_secret_until > ${now} then previous_secret_sealed end as "previousSecretSealed"
    from unnest(${[...companies.values()]}::uuid[], ${[...companies.keys()]}::uuid[]) as claimed (company_id, id)
    join webhook_subscriptions s on s.company_id = claimed.company_id and s.id = claimed.id`
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
  subscriptionId: string
  status: 'pending' | 'succeeded' | 'failed'
  /** The receiver said that it is gone for good. */
  gone: boolean
  nextAttemptAt: string | null
  attempt: Attempt
}

const ATTEMPTS_KEPT = 20

function saveFinished(tx: Tx, finished: Finished[]) {
  return tx`
    update webhook_deliveries d
    set status = f.status, next_attempt_at = f."nextAttemptAt", claimed_until = null, tries = d.tries + 1,
      attempts = case when jsonb_array_length(d.attempts) < ${ATTEMPTS_KEPT} then d.attempts else d.attempts - 0 end
        || jsonb_build_array(f.attempt)
    from jsonb_to_recordset(${tx.json(finished as never)}::jsonb)
      as f ("companyId" uuid, "subscriptionId" uuid, id uuid, status text, "nextAttemptAt" timestamptz, attempt jsonb)
    where d.company_id = f."companyId" and d.subscription_id = f."subscriptionId" and d.id = f.id
      and d.status = 'pending'`
}

/** For another worker, or for this one later. */
function releaseDeliveries(tx: Tx, given: Claimed[]) {
  return tx`
    update webhook_deliveries d set claimed_until = null
    from unnest(
      ${given.map((one) => one.companyId)}::uuid[],
      ${given.map((one) => one.subscriptionId)}::uuid[],
      ${given.map((one) => one.id)}::uuid[]
    ) as given (company_id, subscription_id, id)
    where d.company_id = given.company_id and d.subscription_id = given.subscription_id and d.id = given.id`
}

function deactivateSubscriptions(tx: Tx, gone: Finished[]) {
  return tx`
    update webhook_subscriptions s set active = false, updated_at = now()
    from unnest(${gone.map((one) => one.companyId)}::uuid[], ${gone.map((one) => one.subscriptionId)}::uuid[])
      as gone (company_id, id)
    where s.company_id = gone.company_id and s.id = gone.id`
}

/** At most `limit` events, and the deliveries of all that are as old; says how many events it was. */
export async function deleteEventsBefore(sql: Sql, time: Date, limit: number): Promise<number> {
  // Ids begin with their time, so the old ones of each subscription stand together.
  await sql`
    delete from webhook_deliveries d using webhook_subscriptions s
    where d.company_id = s.company_id and d.subscription_id = s.id
      and d.id < (lpad(to_hex(${time.getTime()}::bigint), 12, '0') || repeat('0', 20))::uuid`
  const { count } = await sql`
    delete from events where (company_id, id) in (
      select company_id, id from events where created_at < ${time} order by created_at limit ${limit}
    )`
  return count
}
