import type { Queryable, Tx } from '../../../platform/db/database.ts'
import { firstRow, firstValue, hasRow, oneValue } from '../../../platform/db/rows.ts'
import type { Actor } from '../../../platform/http/route.ts'
import { PAGE_LANGUAGES } from '../../../platform/http/viewer-preferences.ts'
import type { QueueTx } from '../../queue/index.ts'
import type { SessionInfo } from '../schemas.ts'

export interface SessionRow {
  id: string
  company_id: string
  employee_id: string
  second_factor_owed: boolean
  created_at: Date
  last_seen_at: Date
  employee_name: string
  employee_email: string
  company_name: string
  requires_two_factor: boolean
  has_two_factor: boolean
}

export function insertSession(
  tx: Tx,
  values: {
    company_id: string
    employee_id: string
    token_hash: Buffer
    second_factor_owed: boolean
    user_agent: string
    created_at: Date
    last_seen_at: Date
  },
) {
  return oneValue(tx<{ id: string }[]>`insert into sessions ${tx(values)} returning id`)
}

/** By the token alone, which determines the company. */
export function selectSession(sql: Queryable, tokenHash: Buffer) {
  return firstRow(sql<SessionRow[]>`
    select sessions.id, sessions.company_id, sessions.employee_id, second_factor_owed, sessions.created_at,
      last_seen_at, employees.name as employee_name, email as employee_email, companies.name as company_name,
      requires_two_factor, two_factors.employee_id is not null as has_two_factor
    from sessions
    join employees on employees.company_id = sessions.company_id and employees.id = sessions.employee_id
    join companies on companies.id = sessions.company_id
    left join two_factors
      on two_factors.company_id = sessions.company_id and two_factors.employee_id = sessions.employee_id
    where token_hash = ${tokenHash}`)
}

export function selectSessionStart(sql: Queryable, companyId: string, id: string) {
  return firstValue(sql<{ created_at: Date }[]>`
    select created_at from sessions where company_id = ${companyId} and id = ${id}`)
}

/** As in the API. */
export function selectSessionInfo(sql: Queryable, { companyId, employeeId }: Actor) {
  return firstRow(sql<SessionInfo[]>`
    select jsonb_build_object('id', employees.id, 'name', employees.name, 'email', coalesce(unconfirmed_email, email)) as employee,
      jsonb_build_object('id', companies.id, 'name', companies.name) as company,
      two_factors.employee_id is not null as two_factor_enabled, is_operator as operator, messaging_enabled,
      case when language = any(${Object.keys(PAGE_LANGUAGES)}) then language end as language
    from employees
    join companies on companies.id = employees.company_id
    left join two_factors
      on two_factors.company_id = employees.company_id and two_factors.employee_id = employees.id
    where employees.company_id = ${companyId} and employees.id = ${employeeId}`)
}

export async function updateLastSeen(sql: Queryable, companyId: string, id: string, at: Date) {
  await sql`update sessions set last_seen_at = ${at} where company_id = ${companyId} and id = ${id}`
}

/** Devices of the session are deleted with it, here and below. */
export function deleteSession(tx: QueueTx, companyId: string, employeeId: string, id: string) {
  return hasRow(tx`
    delete from sessions where company_id = ${companyId} and employee_id = ${employeeId} and id = ${id}
    returning id`)
}

/** Whether it existed and still needed its code; such a session has no devices. */
export function deletePendingSession(tx: Tx, companyId: string, id: string) {
  return hasRow(tx`
    delete from sessions where company_id = ${companyId} and id = ${id} and second_factor_owed returning id`)
}

export async function deleteSessionsOf(tx: QueueTx, companyId: string, employeeId: string) {
  await tx`delete from sessions where company_id = ${companyId} and employee_id = ${employeeId}`
}

export async function deleteOtherSessions(
  tx: QueueTx,
  companyId: string,
  employeeId: string,
  keptId: string,
) {
  await tx`
    delete from sessions where company_id = ${companyId} and employee_id = ${employeeId} and id <> ${keptId}`
}

/** Of all companies. Sessions with devices are deleted after those, which have expired too. */
export async function deleteDeadSessions(
  tx: Tx,
  { createdBefore, seenBefore, owedBefore }: { createdBefore: Date; seenBefore: Date; owedBefore: Date },
) {
  await tx`
    delete from sessions
    where (created_at <= ${createdBefore} or last_seen_at <= ${seenBefore}
      or second_factor_owed and created_at <= ${owedBefore})
      and not exists (
        select from devices
        where devices.company_id = sessions.company_id and session_id = sessions.id
      )`
}

/** Valid sessions, latest first. */
export function selectSessionsOf(
  sql: Queryable,
  companyId: string,
  employeeId: string,
  { createdAfter, seenAfter }: { createdAfter: Date; seenAfter: Date },
) {
  return sql<{ id: string; user_agent: string; created_at: Date; last_seen_at: Date }[]>`
    select id, user_agent, created_at, last_seen_at from sessions
    where company_id = ${companyId} and employee_id = ${employeeId}
      and not second_factor_owed and created_at > ${createdAfter} and last_seen_at > ${seenAfter}
    order by last_seen_at desc, id desc`
}
