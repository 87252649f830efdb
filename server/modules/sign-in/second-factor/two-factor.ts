import type { Tx } from '../../../platform/db/database.ts'
import { endAccess } from '../../queue/index.ts'
import { notifyByEmail } from '../security-emails.ts'
import { openSession, type OpenSessionParts } from '../session/open-session.ts'
import { deleteOtherSessions, deletePendingSession, deleteSessionsOf } from '../session/queries.ts'
import type { RequestClient } from '../session/request-client.ts'
import type { Session } from '../session/sessions.ts'
import { newRecoveryCodes, recoveryCodeHash } from './recovery-codes.ts'
import { type CodeOutcome, type SecondFactorParts, totpSecretContext, withCode } from './second-factor.ts'
import { newTotpSecret, stepOfCode } from './totp.ts'
import {
  clearSetupSecret,
  deleteRecoveryCodes,
  deleteTwoFactor,
  insertRecoveryCodes,
  insertTwoFactor,
  keepSetupSecret,
  selectCompanyWithTwoFactor,
  selectSetupSecret,
} from './two-factor-queries.ts'

/** The second step of a sign-in: replaces the half-open session by a complete one. */
export function signInWithCode(
  parts: SecondFactorParts & OpenSessionParts,
  client: RequestClient,
  session: Session,
  code: string,
): Promise<CodeOutcome<string[]>> {
  const { actor } = session
  return withCode(parts, actor, code, async (tx) => {
    if (!(await deletePendingSession(tx, actor.companyId, session.sessionId))) return undefined
    return openSession(tx, parts, client, { ...actor, secondFactorOwed: false })
  })
}

/** The secret for the app: created for this session, and the same until it is verified. */
export async function setupSecret({ db, vault }: SecondFactorParts, session: Session): Promise<string> {
  const { companyId, employeeId } = session.actor
  const fresh = vault.seal(newTotpSecret(), totpSecretContext(employeeId))
  const kept = await keepSetupSecret(db.sql, companyId, session.sessionId, fresh)
  return vault.open(kept ?? fresh, totpSecretContext(employeeId))
}

/**
 * Switches two-factor authentication on once a code proves that the app has the secret. Returns the recovery codes,
 * of which only hashes are stored. Other sessions, opened by the password alone, end.
 */
export async function enableTwoFactor(
  { db, clock, vault }: SecondFactorParts,
  session: Session,
  code: string,
): Promise<string[] | undefined> {
  const { companyId, employeeId } = session.actor
  const now = clock.now()
  const sealed = await selectSetupSecret(db.sql, companyId, session.sessionId)
  const step = sealed && (await stepOfCode(vault.open(sealed, totpSecretContext(employeeId)), code, now))
  if (!sealed || step === undefined) return undefined
  return db.tx((tx) =>
    endAccess(tx, { companyId, employeeId }, async (queue) => {
      const values = { secret_sealed: sealed, last_step: step, created_at: now }
      const first = await insertTwoFactor(tx, { company_id: companyId, employee_id: employeeId, ...values })
      if (!first) return undefined
      await clearSetupSecret(tx, companyId, session.sessionId)
      await deleteOtherSessions(queue, companyId, employeeId, session.sessionId)
      return giveRecoveryCodes(tx, companyId, employeeId)
    }),
  )
}

export function disableTwoFactor(parts: SecondFactorParts, { actor }: Session, code: string) {
  return withCode(parts, actor, code, async (tx) => {
    await deleteTwoFactor(tx, actor.companyId, actor.employeeId)
    await notifyByEmail(tx, 'two_factor_off', actor, parts.clock.now())
    return true
  })
}

/** For the operator, after the employee has been identified in another way. Returns whether it was on. */
export async function resetTwoFactor(tx: Tx, employeeId: string, now: Date): Promise<boolean> {
  const companyId = await selectCompanyWithTwoFactor(tx, employeeId)
  if (companyId === undefined) return false
  await endAccess(tx, { companyId, employeeId }, async (queue) => {
    await deleteTwoFactor(queue, companyId, employeeId)
    await deleteSessionsOf(queue, companyId, employeeId)
  })
  await notifyByEmail(tx, 'two_factor_off', { companyId, employeeId }, now)
  return true
}

/** Replaces all remaining codes. */
export function renewRecoveryCodes(parts: SecondFactorParts, { actor }: Session, code: string) {
  return withCode(parts, actor, code, async (tx) => {
    await deleteRecoveryCodes(tx, actor.companyId, actor.employeeId)
    return giveRecoveryCodes(tx, actor.companyId, actor.employeeId)
  })
}

async function giveRecoveryCodes(tx: Tx, companyId: string, employeeId: string): Promise<string[]> {
  const codes = newRecoveryCodes()
  await insertRecoveryCodes(tx, companyId, employeeId, codes.map(recoveryCodeHash) as Buffer[])
  return codes
}
