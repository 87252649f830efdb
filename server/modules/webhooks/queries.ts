import { type Queryable, type Tx, updateColumns } from '../../platform/db/database.ts'
import { firstRow, firstValue, hasRow, oneRow, oneValue } from '../../platform/db/rows.ts'
import type { Subscription, SubscriptionCreate, SubscriptionUpdate } from './schemas.ts'

const columns = (sql: Queryable) => sql`id, name, url, events, active, created_at, updated_at`

export function selectSubscriptions(sql: Queryable, companyId: string) {
  return sql<Subscription[]>`
    select ${columns(sql)} from webhook_subscriptions where company_id = ${companyId} order by id`
}

export function selectSubscription(sql: Queryable, companyId: string, id: string) {
  return firstRow(sql<Subscription[]>`
    select ${columns(sql)} from webhook_subscriptions where company_id = ${companyId} and id = ${id}`)
}

export function nextSubscriptionId(tx: Tx) {
  return oneValue(tx<{ id: string }[]>`select new_id() as id`)
}

export function insertSubscription(
  tx: Tx,
  companyId: string,
  values: SubscriptionCreate & { id: string; secret_sealed: Buffer },
) {
  return oneRow(tx<Subscription[]>`
    insert into webhook_subscriptions ${tx({ company_id: companyId, ...values })} returning ${columns(tx)}`)
}

export function updateSubscriptionRow(tx: Tx, companyId: string, id: string, values: SubscriptionUpdate) {
  return firstRow(tx<Subscription[]>`
    update webhook_subscriptions set ${updateColumns(tx, values)}
    where company_id = ${companyId} and id = ${id} returning ${columns(tx)}`)
}

export function rotateSecretRow(
  tx: Tx,
  companyId: string,
  id: string,
  { secretSealed, previousUntil }: { secretSealed: Buffer; previousUntil: Date },
) {
  return firstRow(tx<Subscription[]>`
    update webhook_subscriptions
    set previous_secret_sealed = secret_sealed, previous_secret_until = ${previousUntil},
      secret_sealed = ${secretSealed}, updated_at = now()
    where company_id = ${companyId} and id = ${id} returning ${columns(tx)}`)
}

export function deleteSubscriptionRow(tx: Tx, companyId: string, id: string) {
  return hasRow(tx`
    delete from webhook_subscriptions where company_id = ${companyId} and id = ${id} returning id`)
}

/** Who learns of a change. Usually nobody does, and then it need not be read and encoded. */
export interface ChangeAudience {
  /** The names of events that are subscribed to. */
  events: string[]
}

/** The column of a `ChangeAudience`, as a part of the statement that makes the change. */
export const audienceOf = (sql: Queryable, companyId: string) => sql`
  array(
    select unnest(events) from webhook_subscriptions where company_id = ${companyId} and active
  ) as events`

/** In place of the audience, in statements that `commitNow` commits: they are not for companies with subscriptions. */
export const withoutSubscribers = (tx: Tx, companyId: string) => tx`
  case when exists (select from webhook_subscriptions where company_id = ${companyId} and active)
    then refuse_early_commit() end`

/** The id of the next event; undefined if there is no subscriber. */
export function nextEventId(tx: Tx, companyId: string, names: string[]) {
  return firstValue(tx<{ id: string }[]>`
    select new_id() as id where exists (
      select from webhook_subscriptions where company_id = ${companyId} and active and events && ${names}::text[]
    )`)
}

interface NewEvent {
  /** Generated if it is not given. */
  id?: string
  names: string[]
  /** The data, plain or sealed. */
  json?: string
  sealed?: Buffer
  recordingKey?: string | null
}

/** Whether there is a subscriber. A subscription to several names of an event gets it under the current one. */
export function insertEventForSubscribers(
  tx: Tx,
  companyId: string,
  { id, names, json, sealed, recordingKey = null }: NewEvent,
) {
  return hasRow(tx`
    with subscribed as (
      select id, (select name from unnest(${names}::text[]) as name where name = any(events) limit 1) as event_name
      from webhook_subscriptions
      where company_id = ${companyId} and active and events && ${names}::text[]
    ),
    event as (
      insert into events (company_id, id, data, data_sealed, recording_key)
      select ${companyId}, coalesce(${id ?? null}::uuid, new_id()), ${json ?? null}::text::json,
        ${sealed ?? null}::bytea, ${recordingKey}
      where exists (select from subscribed)
      returning id
    )
    insert into webhook_deliveries (company_id, subscription_id, event_id, event_name)
    select ${companyId}, subscribed.id, event.id, event_name from subscribed, event returning id`)
}
