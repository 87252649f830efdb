import { sha256 } from '../../../platform/crypto/crypto.ts'
import { verifyPassword } from '../../../platform/crypto/passwords.ts'
import type { Dependencies } from '../../../platform/dependencies.ts'
import {
  type ChangeHolder,
  clearUnconfirmedEmail,
  confirmEmail,
  findCancelling,
  findConfirming,
  lockEmployeeRow,
  lockPassword,
  redeemCancellation,
  redeemConfirmation,
} from '../../employees/index.ts'
import { type RateLimitSubject, resetAttempts, takeAttempt } from './attempts.ts'
import { truncatePassword } from './form-input.ts'

type LinkParts = Dependencies<'db' | 'clock'>

export const findConfirmation = (
  { db, clock }: LinkParts,
  token: string,
): Promise<ChangeHolder | undefined> => findConfirming(db.sql, sha256(token), clock.now())

export const findCancellation = ({ db }: LinkParts, token: string): Promise<ChangeHolder | undefined> =>
  findCancelling(db.sql, sha256(token))

export type ConfirmOutcome =
  | { ok: true }
  /** Used, expired, replaced, undone, or never ours. */
  | { ok: false; why: 'dead_link' }
  | { ok: false; why: 'wrong'; holder: ChangeHolder }
  | { ok: false; why: 'wait'; holder: ChangeHolder; waitSeconds: number }

/**
 * From now on the employee signs in with the new address. The link alone only proves access to that mailbox, and
 * whoever changed the address may have chosen their own: the password proves who it is.
 */
export async function confirmByLink(parts: LinkParts, token: string, typed: string): Promise<ConfirmOutcome> {
  const { db, clock } = parts
  const holder = await findConfirmation(parts, token)
  if (!holder) return { ok: false, why: 'dead_link' }
  const { company_id: companyId, employee_id: employeeId, password_hash: hash } = holder
  const tries: RateLimitSubject = { kind: 'codePerEmployee', of: `new address of ${employeeId}` }
  const admission = await takeAttempt(db, clock.now(), [tries])
  if (!admission.ok) return { ok: false, why: 'wait', holder, waitSeconds: admission.waitSeconds }
  if (!(await verifyPassword(hash, truncatePassword(typed)))) return { ok: false, why: 'wrong', holder }
  return db.tx(async (tx): Promise<ConfirmOutcome> => {
    // It may have been changed during the check.
    if (!(await lockPassword(tx, companyId, employeeId, hash))) return { ok: false, why: 'wrong', holder }
    if (!(await redeemConfirmation(tx, sha256(token)))) return { ok: false, why: 'dead_link' }
    await resetAttempts(tx, tries)
    return (await confirmEmail(tx, employeeId)) ? { ok: true } : { ok: false, why: 'dead_link' }
  })
}

/** Whether there was a change to undo: the old address stays, or is restored. */
export async function cancelByLink(parts: LinkParts, token: string): Promise<boolean> {
  const holder = await findCancellation(parts, token)
  if (!holder) return false
  return parts.db.tx(async (tx) => {
    const isUsedUp =
      (await lockEmployeeRow(tx, holder.company_id, holder.employee_id)) &&
      (await redeemCancellation(tx, sha256(token)))
    if (!isUsedUp) return false
    await clearUnconfirmedEmail(tx, holder.company_id, holder.employee_id)
    return true
  })
}
