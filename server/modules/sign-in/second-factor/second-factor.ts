import type { Tx } from '../../../platform/db/database.ts'
import type { Dependencies } from '../../../platform/dependencies.ts'
import { fail } from '../../../platform/errors.ts'
import type { Actor } from '../../../platform/http/route.ts'
import { lockEmployeeRow } from '../../employees/index.ts'
import { type RateLimitSubject, resetAttempts, takeAttempt } from '../password/attempts.ts'
import { recoveryCodeHash } from './recovery-codes.ts'
import { stepOfCode } from './totp.ts'
import { selectTwoFactorSecret, useRecoveryCode, useStep } from './two-factor-queries.ts'

export type SecondFactorParts = Dependencies<'db' | 'clock' | 'vault'>

export type CodeOutcome<T> =
  | { ok: true; value: T }
  | { ok: false; why: 'wrong' }
  | { ok: false; why: 'wait'; waitSeconds: number }

/** Binds a secret to one employee: it cannot be opened for another. */
export const totpSecretContext = (employeeId: string) => `two-factor secret of ${employeeId}`

/**
 * Runs `then` if the code is right: from the app, or a recovery code. Either works once, and is used up only if
 * `then` returns something.
 */
export async function withCode<T>(
  parts: SecondFactorParts,
  actor: Actor,
  code: string,
  then: (tx: Tx) => Promise<T | undefined>,
): Promise<CodeOutcome<T>> {
  const { db, clock } = parts
  const tries: RateLimitSubject = { kind: 'codePerEmployee', of: actor.employeeId }
  const admission = await takeAttempt(db, clock.now(), [tries])
  if (!admission.ok) return { ok: false, why: 'wait', waitSeconds: admission.waitSeconds }
  const useUp = await readCode(parts, actor, code)
  try {
    const value = await db.tx(async (tx) => {
      if (!(await lockEmployeeRow(tx, actor.companyId, actor.employeeId))) throw new WrongCode()
      if (!(await useUp(tx))) throw new WrongCode()
      const value = (await then(tx)) ?? fail(new WrongCode())
      await resetAttempts(tx, tries)
      return value
    })
    return { ok: true, value }
  } catch (error) {
    if (error instanceof WrongCode) return { ok: false, why: 'wrong' }
    throw error
  }
}

/** Thrown to roll back what was done so far. */
class WrongCode extends Error {}

/** How to use up the code, if it is valid; resolves to whether it was still unused. */
async function readCode(
  { db, clock, vault }: SecondFactorParts,
  { companyId, employeeId }: Actor,
  code: string,
): Promise<(tx: Tx) => Promise<boolean>> {
  const sealed = await selectTwoFactorSecret(db.sql, companyId, employeeId)
  if (!sealed) return async () => false
  const step = await stepOfCode(vault.open(sealed, totpSecretContext(employeeId)), code, clock.now())
  if (step !== undefined) return (tx) => useStep(tx, companyId, employeeId, step)
  const hash = recoveryCodeHash(code)
  return async (tx) => hash !== undefined && useRecoveryCode(tx, companyId, employeeId, hash)
}
