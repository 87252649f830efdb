import { changesOf, type Queryable, type Tx } from '../../platform/db/database.ts'
import type { Subscription, SubscriptionCreate, SubscriptionUpdate } from './schemas.ts'

const columns = (sql: Queryable) => sql`id, name, url, events, active, created_at, updated_at`

export function selectSubscriptions(sql: Queryable, companyId: string) {
  return sql<Subscription[]>`
    select ${columns(sql)} from webhook_subscriptions where company_id = ${companyId} order by id`
}

export async function selectSubscription(sql: Queryable, companyId: string, id: string) {
  const [row] = await sql<Subscription[]>`
    select ${columns(sql)} from webhook_subscriptions where company_id = ${companyId} and id = ${id}`
  return row
}

export async function nextSubscriptionId(tx: Tx) {
  const [row] = await tx<{ id: string }[]>`select new_id() as id`
  return row!.id
}

export async function insertSubscription(
  tx: Tx,
  companyId: string,
  values: SubscriptionCreate & { id: string; secret_sealed: Buffer },
) {
  const [row] = await tx<Subscription[]>`
    insert into webhook_subscriptions ${tx({ company_id: companyId, ...values })} returning ${columns(tx)}`
  return row!
}

export async function updateSubscriptionRow(
  tx: Tx,
  companyId: string,
  id: string,
  values: SubscriptionUpdate,
) {
  const [row] = await tx<Subscription[]>`
    update webhook_subscriptions set ${changesOf(tx, values)}
    where company_id = ${companyId} and id = ${id} returning ${columns(tx)}`
  return row
}

export async function deleteSubscriptionRow(tx: Tx, companyId: string, id: string) {
  const rows = await tx`
    delete from webhook_subscriptions where company_id = ${companyId} and id = ${id} returning id`
  return rows.length === 1
}
