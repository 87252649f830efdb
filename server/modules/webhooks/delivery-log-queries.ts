import type { Queryable, Tx } from '../../platform/db/database.ts'
import { firstRow, oneRow } from '../../platform/db/rows.ts'
import type { Delivery } from './schemas.ts'

export type DeliveryRow = Delivery

const columns = (sql: Queryable) =>
  sql`id, event_name as event, status, created_at, next_attempt_at, attempts`

export function selectDeliveriesBefore(
  sql: Queryable,
  companyId: string,
  subscriptionId: string,
  beforeId: string | undefined,
  limit: number,
) {
  return sql<DeliveryRow[]>`
    select ${columns(sql)} from webhook_deliveries
    where company_id = ${companyId} and subscription_id = ${subscriptionId}
      ${beforeId ? sql`and id < ${beforeId}` : sql``}
    order by id desc limit ${limit}`
}

export function updateForReplay(tx: Tx, companyId: string, subscriptionId: string, id: string, now: Date) {
  return firstRow(tx<DeliveryRow[]>`
    update webhook_deliveries
    set status = 'pending', next_attempt_at = ${now}, tries = 0, replays = replays + 1
    where company_id = ${companyId} and subscription_id = ${subscriptionId} and id = ${id}
    returning ${columns(tx)}`)
}

export function insertDelivery(
  tx: Tx,
  companyId: string,
  subscriptionId: string,
  eventName: string,
  json: string,
) {
  return oneRow(tx<DeliveryRow[]>`
    with event as (
      insert into events (company_id, data) values (${companyId}, ${json}::text::json) returning id
    )
    insert into webhook_deliveries (company_id, subscription_id, event_id, event_name)
    select ${companyId}, ${subscriptionId}, id, ${eventName} from event returning ${columns(tx)}`)
}

/**
 * Of all companies: deliveries that should have been attempted this long ago. Each subscription is asked for its own,
 * along the index of due deliveries, which steps over all that wait for a later attempt.
 */
export async function countOverdueDeliveries(sql: Queryable, seconds: number) {
  const overdue = sql`now() - make_interval(secs => ${seconds})`
  const ofSubscription = sql`
    select from webhook_deliveries d
    where d.company_id = s.company_id and d.subscription_id = s.id and d.status = 'pending'`
  const [row] = await sql<{ count: number }[]>`
    select coalesce(sum(retries + first_attempts), 0)::int as count from webhook_subscriptions s
    cross join lateral (
      select count(*) as retries from (${ofSubscription} and d.next_attempt_at < ${overdue}) as late
    ) as retried
    cross join lateral (
      select count(*) as first_attempts
      from (${ofSubscription} and d.next_attempt_at is null and d.created_at < ${overdue}) as late
    ) as new
    where s.active`
  return row!.count
}
