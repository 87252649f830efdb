import { type Queryable, type Tx, violatesConstraint } from '../../platform/db/database.ts'
import { hasRow, oneValue } from '../../platform/db/rows.ts'
import type { Actor } from '../../platform/http/route.ts'
import type { Language } from '../../platform/http/viewer-preferences.ts'

export interface NewSubscription extends Actor {
  sessionId: string
  endpointHash: Buffer
  sealed: Buffer
  language: Language
}

/** Of any company: only the browser itself knows its endpoint. */
export async function deleteSubscriptionsOfOthers(
  tx: Tx,
  { companyId, employeeId, endpointHash }: Pick<NewSubscription, 'companyId' | 'employeeId' | 'endpointHash'>,
) {
  await tx`
    delete from push_subscriptions
    where endpoint_hash = ${endpointHash} and (company_id, employee_id) <> (${companyId}, ${employeeId})`
}

export function upsertSubscription(tx: Tx, subscription: NewSubscription) {
  const { companyId, employeeId, sessionId, endpointHash, sealed, language } = subscription
  return oneValue(tx<{ id: string }[]>`
    insert into push_subscriptions (company_id, employee_id, session_id, endpoint_hash, subscription_sealed, language)
    values (${companyId}, ${employeeId}, ${sessionId}, ${endpointHash}, ${sealed}, ${language})
    on conflict (endpoint_hash) do update
      set session_id = excluded.session_id, subscription_sealed = excluded.subscription_sealed,
        language = excluded.language
    returning id`)
}

export async function deleteOldestSubscriptions(tx: Tx, { companyId, employeeId }: Actor, kept: number) {
  await tx`
    delete from push_subscriptions where company_id = ${companyId} and id in (
      select id from push_subscriptions
      where company_id = ${companyId} and employee_id = ${employeeId}
      order by id desc offset ${kept}
    )`
}

export function deletePushSubscription(tx: Tx, { companyId, employeeId }: Actor, id: string) {
  return hasRow(tx`
    delete from push_subscriptions
    where company_id = ${companyId} and employee_id = ${employeeId} and id = ${id} returning id`)
}

/** The push service says that the browser is no longer there. */
export async function deleteDeadSubscriptions(sql: Queryable, companyId: string, ids: string[]) {
  await sql`delete from push_subscriptions where company_id = ${companyId} and id = any(${ids}::uuid[])`
}

/** Whether a browser of one of these employees can be rung. */
export function hasSubscription(sql: Queryable, companyId: string, employeeIds: readonly string[]) {
  return hasRow(sql`
    select from push_subscriptions
    where company_id = ${companyId} and employee_id = any(${employeeIds}::uuid[]) limit 1`)
}

/** Whether a subscription could not be stored because its session has just ended. */
export const isSessionEnded = (error: unknown) => violatesConstraint(error, 'push_subscriptions_session')
