import { type Fragment, type Queryable, type Tx, updateColumns } from '../../platform/db/database.ts'
import { allValues, firstRow, firstValue, hasRow, oneRow } from '../../platform/db/rows.ts'
import type { Actor } from '../../platform/http/route.ts'
import { companyNameOf } from '../company/index.ts'
import { employeeColumns, type EmployeeRow, type QueueTx } from '../queue/index.ts'

type EmployeeValues = Partial<Pick<EmployeeRow, 'name' | 'email' | 'phone'>> & {
  unconfirmed_email?: string | null
}

export function insertEmployee(
  tx: Tx,
  companyId: string,
  values: EmployeeValues & { password_hash?: string; invitation_pending: boolean; language?: string },
) {
  return oneRow(tx<EmployeeRow[]>`
    insert into employees ${tx({ company_id: companyId, ...values })} returning ${employeeColumns(tx)}`)
}

export function updateEmployeeRow(tx: Tx, companyId: string, id: string, values: EmployeeValues) {
  return firstRow(tx<EmployeeRow[]>`
    update employees set ${updateColumns(tx, values)}
    where company_id = ${companyId} and id = ${id} returning ${employeeColumns(tx)}`)
}

export function lockSendingEmployee(tx: Tx, companyId: string, id: string) {
  return hasRow(tx`select from employees where company_id = ${companyId} and id = ${id} for update`)
}

/**
 * Locks the employee until the transaction ends. To avoid deadlocks with the deletion of the employee, it must come
 * before any lock on rows that are deleted with them. False if there is no such employee.
 */
export function lockEmployeeRow(tx: Tx, companyId: string, id: string) {
  return hasRow(tx`
    select from employees where company_id = ${companyId} and id = ${id} for no key update`)
}

/** Returns those that are employees of the company. They cannot be deleted until the transaction ends. */
export function keepEmployees(tx: Tx, companyId: string, ids: string[]) {
  return allValues(tx<{ id: string }[]>`
    select id from employees where company_id = ${companyId} and id = any(${ids}::uuid[])
    order by id for key share`)
}

export function selectEmployeeIds(sql: Queryable, companyId: string) {
  return allValues(sql<{ id: string }[]>`
    select id from employees where company_id = ${companyId} order by id`)
}

export function selectIsOperator(sql: Queryable, companyId: string, id: string) {
  return hasRow(sql`
    select from employees where company_id = ${companyId} and id = ${id} and is_operator`)
}

/** False if there is no such employee. */
export function updateIsOperator(tx: Tx, id: string, isOperator: boolean) {
  return hasRow(tx`update employees set is_operator = ${isOperator} where id = ${id} returning id`)
}

/** Of all companies. */
export function selectOperators(sql: Queryable) {
  return allValues(sql<{ id: string }[]>`select id from employees where is_operator order by id`)
}

/** A subquery for inserts that belong to an employee: their id and company, or no row. */
export const employeeOf = (sql: Queryable, id: string) =>
  sql`(select company_id, id from employees where id = ${id}) as employee`

/** Whether the company has anybody but this employee. */
export function hasOtherEmployees(tx: QueueTx, companyId: string, id: string) {
  return hasRow(tx`select from employees where company_id = ${companyId} and id <> ${id} limit 1`)
}

export async function deleteEmployeeRow(tx: QueueTx, companyId: string, id: string) {
  await tx`delete from employees where company_id = ${companyId} and id = ${id}`
}

export function selectEmployee(sql: Queryable, companyId: string, id: string) {
  return firstRow(sql<EmployeeRow[]>`
    select ${employeeColumns(sql)} from employees where company_id = ${companyId} and id = ${id}`)
}

/** The employees with this phone number; several may share one. */
export function selectIdsByPhone(sql: Queryable, companyId: string, e164: string) {
  return allValues(sql<{ id: string }[]>`
    select id from employees where company_id = ${companyId} and phone = ${e164}`)
}

export function selectEmployeeForUpdate(tx: Tx, companyId: string, id: string) {
  return firstRow(tx<EmployeeRow[]>`
    select ${employeeColumns(tx)} from employees where company_id = ${companyId} and id = ${id} for update`)
}

export function selectEmployees(sql: Queryable, companyId: string) {
  return sql<
    EmployeeRow[]
  >`select ${employeeColumns(sql)} from employees where company_id = ${companyId} order by id`
}

export function selectEmployeesAmong(sql: Queryable, companyId: string, ids: string[]) {
  return sql<EmployeeRow[]>`
    select ${employeeColumns(sql)} from employees where company_id = ${companyId} and id = any(${ids}::uuid[])`
}

/** Everybody who is or was an employee, in place of a table: calls keep who took them. */
export const employeesEver = (sql: Queryable) => sql`(
  select company_id, id, name from employees
  union all
  select company_id, id, name from former_employees
)`

/** Those of them who have been deleted. */
export function selectFormerEmployees(sql: Queryable, ids: string[]) {
  return allValues(sql<{ id: string }[]>`select id from former_employees where id = any(${ids}::uuid[])`)
}

/** Undefined if there is no such employee. */
export function selectCompanyOf(sql: Queryable, id: string) {
  return firstValue(sql<{ company_id: string }[]>`select company_id from employees where id = ${id}`)
}

/** Numbers whose call flows ring the employee, or would if the number were in service again. */
export function selectNumbersRinging(sql: Queryable, companyId: string, employeeId: string) {
  return sql<{ id: string; name: string }[]>`
    select id, name from business_numbers
    where company_id = ${companyId} and id in (
      select business_number_id from call_targets where company_id = ${companyId} and employee_id = ${employeeId}
    ) order by id`
}

/**
 * The transfer steps of numbers in service that ring the employee, behind the keys of menus too, without those of the
 * no-answer flows.
 */
export function selectStepsRinging(sql: Queryable, companyId: string, employeeId: string) {
  return sql<{ id: string; name: string; employee_ids: string[] }[]>`
    select n.id, n.name, step.employee_ids
    from business_numbers n
    cross join lateral (
      values (n.incoming_call_config), (n.outside_business_hours_config)
    ) as slot (flow)
    cross join lateral (
      select slot.flow -> 'employee_ids'
      union all
      select option -> 'employee_ids'
      from jsonb_array_elements(coalesce(slot.flow -> 'menu_options', '[]')) as option
    ) as step (employee_ids)
    where n.company_id = ${companyId} and n.retired_at is null and step.employee_ids ? ${employeeId} and n.id in (
      select business_number_id from call_targets where company_id = ${companyId} and employee_id = ${employeeId}
    ) order by n.id`
}

export function updateDoNotDisturb(
  tx: QueueTx,
  companyId: string,
  id: string,
  { activatedAt, expiresAt }: { activatedAt: Date | null; expiresAt: Date | null },
) {
  return firstRow(tx<EmployeeRow[]>`
    update employees
    set do_not_disturb_activated_at = ${activatedAt}, do_not_disturb_expires_at = ${expiresAt}, updated_at = now()
    where company_id = ${companyId} and id = ${id} returning ${employeeColumns(tx)}`)
}

/** False if do-not-disturb was meanwhile set again, without an expiry or with a later one. */
export async function clearExpiredDoNotDisturb(tx: QueueTx, employeeId: string) {
  const { count } = await tx`
    update employees
    set do_not_disturb_activated_at = null, do_not_disturb_expires_at = null, updated_at = now()
    where id = ${employeeId} and do_not_disturb_expires_at <= now()`
  return count === 1
}

export async function updateJoined(tx: QueueTx, companyId: string, id: string) {
  await tx`
    update employees set invitation_pending = false, updated_at = now()
    where company_id = ${companyId} and id = ${id}`
}

/** Locks the employee, so that the e-mail goes to the address for which its link is valid. */
export function lockInvitee(tx: Tx, employeeId: string) {
  return firstRow(tx<{ company_id: string; name: string; email: string; company_name: string }[]>`
    select company_id, name, email, ${companyNameOf(tx, tx`employees.company_id`)} as company_name from employees
    where id = ${employeeId} and invitation_pending for key share`)
}

export async function upsertInvitation(tx: Tx, employeeId: string, tokenHash: Buffer, expiresAt: Date) {
  await tx`
    insert into invitations (employee_id, token_hash, expires_at) values (${employeeId}, ${tokenHash}, ${expiresAt})
    on conflict (employee_id) do update set token_hash = excluded.token_hash, expires_at = excluded.expires_at`
}

/** Returns whether there was one. */
export async function deleteInvitationOf(tx: Tx, employeeId: string) {
  const { count } = await tx`delete from invitations where employee_id = ${employeeId}`
  return count === 1
}

/** Whether anybody else was added to the company after this time; an expression. */
export const hasColleagues = (
  sql: Queryable,
  { companyId, employeeId }: Actor,
  since: Fragment,
) => sql`exists (
  select from employees
  where company_id = ${companyId} and id <> ${employeeId} and created_at > ${since}
)`

export function selectLanguage(sql: Queryable, { companyId, employeeId }: Actor) {
  return firstValue(sql<{ language: string | null }[]>`
    select language from employees where company_id = ${companyId} and id = ${employeeId}`)
}

/** False if there is no such employee. */
export function updateLanguage(tx: Tx, { companyId, employeeId }: Actor, language: string) {
  return hasRow(tx`
    update employees set language = ${language}
    where company_id = ${companyId} and id = ${employeeId} returning id`)
}
