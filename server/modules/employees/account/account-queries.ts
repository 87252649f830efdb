import type { Queryable, Tx } from '../../../platform/db/database.ts'
import { firstRow, firstValue, hasRow } from '../../../platform/db/rows.ts'
import type { Actor } from '../../../platform/http/route.ts'
import { companyNameOf } from '../../company/index.ts'

export function selectPasswordHash(sql: Queryable, companyId: string, employeeId: string) {
  return firstValue(sql<{ password_hash: string | null }[]>`
    select password_hash from employees where company_id = ${companyId} and id = ${employeeId}`)
}

/** Whether the password is still the one that was checked. It cannot change until the transaction ends. */
export function lockPassword(tx: Tx, companyId: string, employeeId: string, passwordHash: string) {
  return hasRow(tx`
    select from employees
    where company_id = ${companyId} and id = ${employeeId} and password_hash = ${passwordHash}
    for no key update`)
}

export async function updatePassword(tx: Tx, companyId: string, employeeId: string, passwordHash: string) {
  await tx`
    update employees set password_hash = ${passwordHash}, updated_at = now()
    where company_id = ${companyId} and id = ${employeeId}`
}

export interface LinkHolder {
  company_id: string
  employee_id: string
  name: string
  email: string
  company_name: string
}

export function selectInvitationHolder(sql: Queryable, tokenHash: Buffer, now: Date) {
  return firstRow(sql<LinkHolder[]>`
    select company_id, employee_id, employees.name, email, ${companyNameOf(sql, sql`employees.company_id`)} as company_name
    from invitations
    join employees on employees.id = employee_id
    where token_hash = ${tokenHash} and expires_at > ${now} and invitation_pending`)
}

/** True for only one of several concurrent uses of the link. */
export function useInvitation(tx: Tx, tokenHash: Buffer) {
  return hasRow(tx`delete from invitations where token_hash = ${tokenHash} returning employee_id`)
}

export async function upsertPasswordReset(
  tx: Tx,
  values: {
    company_id: string
    employee_id: string
    token_hash: Buffer
    email: string
    expires_at: Date
  },
) {
  await tx`
    insert into password_resets ${tx(values)}
    on conflict (company_id, employee_id) do update
    set token_hash = excluded.token_hash, email = excluded.email, expires_at = excluded.expires_at`
}

/** A link is invalid if it was sent to an address that the employee no longer has. */
export function selectPasswordResetHolder(sql: Queryable, tokenHash: Buffer, now: Date) {
  return firstRow(sql<LinkHolder[]>`
    select employees.company_id, employee_id, employees.name, employees.email,
      ${companyNameOf(sql, sql`employees.company_id`)} as company_name
    from password_resets
    join employees on employees.company_id = password_resets.company_id and employees.id = employee_id
    where token_hash = ${tokenHash} and expires_at > ${now} and password_resets.email = employees.email`)
}

/** True for only one of several concurrent uses of the link. */
export function usePasswordReset(tx: Tx, tokenHash: Buffer) {
  return hasRow(tx`delete from password_resets where token_hash = ${tokenHash} returning employee_id`)
}

export async function deletePendingPasswordReset(tx: Tx, companyId: string, employeeId: string) {
  await tx`delete from password_resets where company_id = ${companyId} and employee_id = ${employeeId}`
}

/** The recipient of a password reset e-mail, who cannot be deleted until the transaction ends. */
export function lockAccountForReset(tx: Tx, email: string) {
  return firstRow(tx<
    { company_id: string; employee_id: string; name: string; email: string; invitation_pending: boolean }[]
  >`
    select company_id, id as employee_id, name, email, invitation_pending from employees
    where lower(email) = lower(${email}) for key share`)
}

/** The recipient of an e-mail about their account. */
export function selectEmailRecipient(sql: Queryable, { companyId, employeeId }: Actor) {
  return firstRow(sql<{ name: string; email: string }[]>`
    select name, email from employees where company_id = ${companyId} and id = ${employeeId}`)
}

/** Across all companies. */
export async function deleteExpiredResets(tx: Tx, now: Date) {
  await tx`delete from password_resets where expires_at <= ${now}`
}
