import type { Queryable, Tx } from '../../../platform/db/database.ts'
import { firstRow } from '../../../platform/db/rows.ts'
import { companyNameOf } from '../../company/index.ts'

/** The employee of a changed address. */
export interface ChangeHolder {
  company_id: string
  employee_id: string
  name: string
  company_name: string
  unconfirmed_email: string
  password_hash: string
}

const waiting = (sql: Queryable) => sql`
  select employees.company_id, employee_id, employees.name,
    ${companyNameOf(sql, sql`employees.company_id`)} as company_name,
    unconfirmed_email, password_hash
  from email_changes
  join employees on employees.company_id = email_changes.company_id and employees.id = employee_id
  where unconfirmed_email is not null and password_hash is not null`

export function selectConfirmationHolder(sql: Queryable, tokenHash: Buffer, now: Date) {
  return firstRow(sql<ChangeHolder[]>`
    ${waiting(sql)} and confirm_hash = ${tokenHash} and confirm_expires_at > ${now}`)
}

/** Valid as long as the change is pending, however late the e-mail is read. */
export function selectCancellationHolder(sql: Queryable, tokenHash: Buffer) {
  return firstRow(sql<ChangeHolder[]>`${waiting(sql)} and cancel_hash = ${tokenHash}`)
}

/** True for only one of several concurrent uses of the link. */
export async function redeemConfirmation(tx: Tx, tokenHash: Buffer) {
  const { count } = await tx`delete from email_changes where confirm_hash = ${tokenHash}`
  return count === 1
}

/** True for only one of several concurrent uses of the link. */
export async function redeemCancellation(tx: Tx, tokenHash: Buffer) {
  const { count } = await tx`delete from email_changes where cancel_hash = ${tokenHash}`
  return count === 1
}

export async function clearUnconfirmedEmail(tx: Tx, companyId: string, employeeId: string) {
  await tx`
    update employees set unconfirmed_email = null, updated_at = now()
    where company_id = ${companyId} and id = ${employeeId}`
}

export async function selectUnconfirmedEmail(sql: Queryable, companyId: string, employeeId: string) {
  const [row] = await sql<{ unconfirmed_email: string | null }[]>`
    select unconfirmed_email from employees where company_id = ${companyId} and id = ${employeeId}`
  return row?.unconfirmed_email ?? undefined
}
