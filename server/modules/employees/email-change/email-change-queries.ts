import type { Queryable, Tx } from '../../../platform/db/database.ts'
import { firstRow } from '../../../platform/db/rows.ts'
import { companyNameOf } from '../../company/index.ts'
import { deletePendingPasswordReset } from '../account/account-queries.ts'

export interface EmailState {
  id: string
  company_id: string
  email: string
  unconfirmed_email: string | null
  invitation_pending: boolean
}

/** To avoid deadlocks, a transaction locks this row before any row of the employee's links. */
export function lockEmailState(tx: Tx, companyId: string, id: string) {
  return firstRow(tx<EmailState[]>`
    select id, company_id, email, unconfirmed_email, invitation_pending from employees
    where company_id = ${companyId} and id = ${id} for update`)
}

/** Invalidates the links of an earlier change. */
export async function renewEmailChange(tx: Tx, companyId: string, employeeId: string) {
  await tx`
    insert into email_changes (company_id, employee_id) values (${companyId}, ${employeeId})
    on conflict (company_id, employee_id) do update
    set confirm_hash = null, confirm_expires_at = null, cancel_hash = null`
}

export async function deleteEmailChange(tx: Tx, companyId: string, employeeId: string) {
  await tx`delete from email_changes where company_id = ${companyId} and employee_id = ${employeeId}`
}

/** Returns the address, if there was an unconfirmed one. */
export async function confirmUnconfirmedEmail(tx: Tx, employeeId: string) {
  const [row] = await tx<{ company_id: string; email: string }[]>`
    update employees set email = unconfirmed_email, unconfirmed_email = null, updated_at = now()
    where id = ${employeeId} and unconfirmed_email is not null returning company_id, email`
  if (!row) return undefined
  await deleteEmailChange(tx, row.company_id, employeeId)
  await deletePendingPasswordReset(tx, row.company_id, employeeId)
  return row.email
}

export function selectNames(sql: Queryable, companyId: string, employeeId: string) {
  return firstRow(sql<{ name: string; company_name: string }[]>`
    select name, ${companyNameOf(sql, sql`employees.company_id`)} as company_name from employees
    where company_id = ${companyId} and id = ${employeeId}`)
}

export async function updateConfirmHash(
  tx: Tx,
  companyId: string,
  employeeId: string,
  { hash, expiresAt }: { hash: Buffer; expiresAt: Date },
) {
  await tx`
    update email_changes set confirm_hash = ${hash}, confirm_expires_at = ${expiresAt}
    where company_id = ${companyId} and employee_id = ${employeeId}`
}

export async function updateCancelHash(tx: Tx, companyId: string, employeeId: string, hash: Buffer) {
  await tx`
    update email_changes set cancel_hash = ${hash}
    where company_id = ${companyId} and employee_id = ${employeeId}`
}
