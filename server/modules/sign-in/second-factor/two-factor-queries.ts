import type { Queryable, Tx } from '../../../platform/db/database.ts'
import { firstValue, hasRow, oneValue } from '../../../platform/db/rows.ts'

export function selectTwoFactorSecret(sql: Queryable, companyId: string, employeeId: string) {
  return firstValue(sql<{ secret_sealed: Buffer }[]>`
    select secret_sealed from two_factors where company_id = ${companyId} and employee_id = ${employeeId}`)
}

/** Whether the step was still unused; true for only one of several concurrent uses. */
export function useStep(tx: Tx, companyId: string, employeeId: string, step: number) {
  return hasRow(tx`
    update two_factors set last_step = ${step}
    where company_id = ${companyId} and employee_id = ${employeeId} and last_step < ${step}
    returning employee_id`)
}

/** Whether there was none yet. */
export function insertTwoFactor(
  tx: Tx,
  values: {
    company_id: string
    employee_id: string
    secret_sealed: Buffer
    last_step: number
    created_at: Date
  },
) {
  return hasRow(tx`
    insert into two_factors ${tx(values)} on conflict (company_id, employee_id) do nothing returning employee_id`)
}

/** Recovery codes are deleted with it. */
export async function deleteTwoFactor(tx: Tx, companyId: string, employeeId: string) {
  await tx`delete from two_factors where company_id = ${companyId} and employee_id = ${employeeId}`
}

/** For the operator: the company of an employee with two-factor authentication. */
export function selectCompanyWithTwoFactor(sql: Queryable, employeeId: string) {
  return firstValue(sql<{ company_id: string }[]>`
    select company_id from two_factors where employee_id = ${employeeId}`)
}

export async function insertRecoveryCodes(tx: Tx, companyId: string, employeeId: string, hashes: Buffer[]) {
  const rows = hashes.map((code_hash) => ({ company_id: companyId, employee_id: employeeId, code_hash }))
  await tx`insert into recovery_codes ${tx(rows)}`
}

export async function deleteRecoveryCodes(tx: Tx, companyId: string, employeeId: string) {
  await tx`delete from recovery_codes where company_id = ${companyId} and employee_id = ${employeeId}`
}

/** Whether it existed; true for only one of several concurrent uses. */
export function useRecoveryCode(tx: Tx, companyId: string, employeeId: string, hash: Buffer) {
  return hasRow(tx`
    delete from recovery_codes
    where company_id = ${companyId} and employee_id = ${employeeId} and code_hash = ${hash}
    returning code_hash`)
}

export function countRecoveryCodes(sql: Queryable, companyId: string, employeeId: string) {
  return oneValue(sql<{ count: number }[]>`
    select count(*)::int as count from recovery_codes
    where company_id = ${companyId} and employee_id = ${employeeId}`)
}

export async function selectSetupSecret(sql: Queryable, companyId: string, sessionId: string) {
  const [row] = await sql<{ sealed: Buffer | null }[]>`
    select two_factor_setup_sealed as sealed from sessions where company_id = ${companyId} and id = ${sessionId}`
  return row?.sealed ?? undefined
}

/** The first secret stays: the one that was scanned must be the one that is verified. */
export function keepSetupSecret(sql: Queryable, companyId: string, sessionId: string, sealed: Buffer) {
  return firstValue(sql<{ sealed: Buffer }[]>`
    update sessions set two_factor_setup_sealed = coalesce(two_factor_setup_sealed, ${sealed})
    where company_id = ${companyId} and id = ${sessionId}
    returning two_factor_setup_sealed as sealed`)
}

export async function clearSetupSecret(tx: Tx, companyId: string, sessionId: string) {
  await tx`
    update sessions set two_factor_setup_sealed = null where company_id = ${companyId} and id = ${sessionId}`
}
