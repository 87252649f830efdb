import type { Queryable } from '../../platform/db/database.ts'
import type { Language } from '../../platform/http/viewer-preferences.ts'
import { isAwaited } from '../queue/index.ts'
import { PUSH_LIMITS } from './limits.ts'

/** A browser that shows a call, or is about to. */
export interface AlertedBrowser {
  id: string
  employee_id: string
  endpoint_hash: Buffer
  sealed: Buffer
  language: Language
}

const columns = (sql: Queryable) =>
  sql`s.id, s.employee_id, s.endpoint_hash, s.subscription_sealed as sealed, s.language`

/** Those that do not show the call yet; none if it has waited for too long. */
export function insertAlerts(
  sql: Queryable,
  { companyId, callId, since }: { companyId: string; callId: string; since: string },
  employeeIds: readonly string[],
) {
  return sql<AlertedBrowser[]>`
    with alerted as (
      insert into push_alerts (company_id, call_id, subscription_id)
      select ${companyId}, ${callId}, id from push_subscriptions
      where company_id = ${companyId} and employee_id = any(${employeeIds}::uuid[])
        and ${since}::timestamptz > now() - make_interval(secs => ${PUSH_LIMITS.freshSeconds})
      on conflict do nothing returning subscription_id
    )
    select ${columns(sql)} from push_subscriptions s
    join alerted on s.company_id = ${companyId} and s.id = subscription_id`
}

export async function updateSent(sql: Queryable, companyId: string, callId: string, ids: string[]) {
  await sql`
    update push_alerts set is_sent = true
    where company_id = ${companyId} and call_id = ${callId} and subscription_id = any(${ids}::uuid[])`
}

/** Of browsers that could not be reached. */
export async function deleteAlerts(sql: Queryable, companyId: string, callId: string, ids: string[]) {
  await sql`
    delete from push_alerts
    where company_id = ${companyId} and call_id = ${callId} and subscription_id = any(${ids}::uuid[])`
}

/** Takes the browsers that show the call although it no longer waits for their employee. */
export function deleteOutdatedAlerts(sql: Queryable, companyId: string, callId: string) {
  return sql<AlertedBrowser[]>`
    delete from push_alerts a using push_subscriptions s
    where a.company_id = ${companyId} and a.call_id = ${callId} and a.is_sent
      and s.company_id = a.company_id and s.id = a.subscription_id
      and not ${isAwaited(sql, companyId, callId, sql`s.employee_id`)}
    returning ${columns(sql)}`
}
