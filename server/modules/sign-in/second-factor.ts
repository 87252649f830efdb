import type { Clock } from '../../platform/clock.ts'
import type { Vault } from '../../platform/crypto.ts'
import type { Database, Tx } from '../../platform/db/database.ts'
import type { Actor } from '../../platform/http/route.ts'
import { admit, forgive, type Subject } from './attempts.ts'
import { recoveryCodeHash } from './recovery-codes.ts'
import { stepOfCode } from './totp.ts'
import { selectTwoFactorSecret, useRecoveryCode, useStep } from './two-factor-queries.ts'

export interface SecondFactorParts {
  db: Database
  clock: Clock
  vault: Vault
}

export type CodeOutcome<T> =
  | { ok: true; value: T }
  | { ok: false; why: 'wrong' }
  | { ok: false; why: 'wait'; waitSeconds: number }

/** A secret belongs to one employee: moved to another, it does not open. */
export const vaultContext = (employeeId: string) => `two-factor secret of ${employeeId}`

/** Does `then` if the code is right: one of the app, or a recovery code. Either counts once. */
export async function withCode<T>(
  { db, clock, vault }: SecondFactorParts,
  { companyId, employeeId }: Actor,
  code: string,
  then: (tx: Tx) => Promise<T | undefined>,
): Promise<CodeOutcome<T>> {
  const now = clock.now()
  const tries: Subject = { kind: 'codePerEmployee', of: employeeId }
  const admission = await admit(db, now, [tries])
  if (!admission.ok) return { ok: false, why: 'wait', waitSeconds: admission.waitSeconds }

  const sealed = await selectTwoFactorSecret(db.sql, companyId, employeeId)
  if (!sealed) return { ok: false, why: 'wrong' }
  const step = await stepOfCode(vault.open(sealed, vaultContext(employeeId)), code, now)
  const hash = recoveryCodeHash(code)
  return db.tx(async (tx) => {
    const used =
      step !== undefined
        ? await useStep(tx, companyId, employeeId, step)
        : hash !== undefined && (await useRecoveryCode(tx, companyId, employeeId, hash))
    const value = used ? await then(tx) : undefined
    if (value === undefined) return { ok: false, why: 'wrong' }
    await forgive(tx, tries)
    return { ok: true, value }
  })
}
