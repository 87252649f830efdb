import { type Queryable, type Tx, updateColumns } from '../../platform/db/database.ts'
import { companyNameOf } from '../company/index.ts'
import { employeeColumns, type EmployeeRow, type QueueTx } from '../queue/index.ts'

type EmployeeValues = Partial<Pick<EmployeeRow, 'name' | 'email' | 'phone'>> & {
  unconfirmed_email?: string | null
}

export async function insertEmployee(
  tx: Tx,
  companyId: string,
  values: EmployeeValues & { password_hash?: string; invitation_pending: boolean },
) {
  const [row] = await tx<EmployeeRow[]>`
    insert into employees ${tx({ company_id: companyId, ...values })} returning ${employeeColumns(tx)}`
  return row!
}

export async function updateEmployeeRow(tx: Tx, companyId: string, id: string, values: EmployeeValues) {
  const [row] = await tx<EmployeeRow[]>`
    update employees set ${updateColumns(tx, values)}
    where company_id = ${companyId} and id = ${id} returning ${employeeColumns(tx)}`
  return row
}

export async function lockSendingEmployee(tx: Tx, companyId: string, id: string) {
  const rows = await tx`select from employees where company_id = ${companyId} and id = ${id} for update`
  return rows.length === 1
}

/**
 * Locks the employee until the transaction ends. To avoid deadlocks with the deletion of the employee, it must come
 * before any lock on rows that are deleted with them. False if there is no such employee.
 */
export async function lockEmployeeRow(tx: Tx, companyId: string, id: string) {
  const rows = await tx`
    select from employees where company_id = ${companyId} and id = ${id} for no key update`
  return rows.length === 1
}

/** Returns those that are employees of the company. They cannot be deleted until the transaction ends. */
export async function keepEmployees(tx: Tx, companyId: string, ids: string[]) {
  const rows = await tx<{ id: string }[]>`
    select id from employees where company_id = ${companyId} and id = any(${ids}::uuid[])
    order by id for key share`
  return rows.map((row) => row.id)
}

export async function selectEmployeeIds(sql: Queryable, companyId: string) {
  const rows = await sql<{ id: string }[]>`
    select id from employees where company_id = ${companyId} order by id`
  return rows.map((row) => row.id)
}

/** A subquery for inserts that belong to an employee: their id and company, or no row. */
export const employeeOf = (sql: Queryable, id: string) =>
  sql`(select company_id, id from employees where id = ${id}) as employee`

export async function deleteEmployeeRow(tx: QueueTx, companyId: string, id: string) {
  await tx`delete from employees where company_id = ${companyId} and id = ${id}`
}

export async function selectEmployee(sql: Queryable, companyId: string, id: string) {
  const [row] = await sql<EmployeeRow[]>`
    select ${employeeColumns(sql)} from employees where company_id = ${companyId} and id = ${id}`
  return row
}

/** The employees with this phone number; several may share one. */
export async function selectIdsByPhone(sql: Queryable, companyId: string, e164: string) {
  const rows = await sql<{ id: string }[]>`
    select id from employees where company_id = ${companyId} and phone = ${e164}`
  return rows.map(({ id }) => id)
}

export async function selectEmployeeForUpdate(tx: Tx, companyId: string, id: string) {
  const [row] = await tx<EmployeeRow[]>`
    select ${employeeColumns(tx)} from employees where company_id = ${companyId} and id = ${id} for update`
  return row
}

export function selectEmployees(sql: Queryable, companyId: string) {
  return sql<
    EmployeeRow[]
  >`select ${employeeColumns(sql)} from employees where company_id = ${companyId} order by id`
}

/** Undefined if there is no such employee. */
export async function selectCompanyOf(sql: Queryable, id: string) {
  const [row] = await sql<{ company_id: string }[]>`select company_id from employees where id = ${id}`
  return row?.company_id
}

/** Numbers whose call flows ring the employee. */
export function selectNumbersRinging(sql: Queryable, companyId: string, employeeId: string) {
  return sql<{ id: string; name: string }[]>`
    select id, name from business_numbers
    where company_id = ${companyId} and id in (
      select business_number_id from call_targets where company_id = ${companyId} and employee_id = ${employeeId}
    ) order by id`
}

/** The coworkers whom the same numbers ring, once for each number. */
export function selectCoworkersRungBy(sql: Queryable, companyId: string, employeeId: string) {
  return sql<(EmployeeRow & { business_number_id: string })[]>`
    select distinct ${employeeColumns(sql)}, theirs.business_number_id
    from call_targets own
    join call_targets theirs
      on theirs.company_id = own.company_id and theirs.business_number_id = own.business_number_id
    join employees on employees.id = theirs.employee_id
    where own.company_id = ${companyId} and own.employee_id = ${employeeId}
      and theirs.employee_id <> ${employeeId}`
}

export async function updateDoNotDisturb(
  tx: QueueTx,
  companyId: string,
  id: string,
  { activatedAt, expiresAt }: { activatedAt: Date | null; expiresAt: Date | null },
) {
  const [row] = await tx<EmployeeRow[]>`
    update employees
    set do_not_disturb_activated_at = ${activatedAt}, do_not_disturb_expires_at = ${expiresAt}, updated_at = now()
    where company_id = ${companyId} and id = ${id} returning ${employeeColumns(tx)}`
  return row
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
export async function lockInvitee(tx: Tx, employeeId: string) {
  const [row] = await tx<{ name: string; email: string; company_name: string }[]>`
    select name, email, ${companyNameOf(tx, tx`employees.company_id`)} as company_name from employees
    where id = ${employeeId} and invitation_pending for key share`
  return row
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
