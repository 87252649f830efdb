import { dummyHash, verifyPassword } from '../../../platform/crypto/passwords.ts'
import type { Database } from '../../../platform/db/database.ts'
import { lockPassword } from '../../employees/index.ts'
import { endPreviousSession, openSession, type OpenSessionParts } from '../session/open-session.ts'
import type { RequestClient } from '../session/request-client.ts'
import { selectAccount } from './account-queries.ts'
import { type RateLimitSubject, refundAttempt, resetAttempts, takeAttempt } from './attempts.ts'
import { parseEmailInput, truncatePassword } from './form-input.ts'

export type SignInOutcome =
  | { ok: true; cookies: string[]; codeOwed: boolean }
  | { ok: false; why: 'wrong' }
  | { ok: false; why: 'wait'; waitSeconds: number }

type Parts = OpenSessionParts & { db: Database }

/** An unknown address is indistinguishable from a wrong password: by response, by time and by waits. */
export async function signInWithPassword(
  parts: Parts,
  client: RequestClient,
  typed: { email: string; password: string },
): Promise<SignInOutcome> {
  const { db, clock, browsers } = parts
  const email = parseEmailInput(typed.email)
  const account = email === undefined ? undefined : await selectAccount(db.sql, email)
  const browser = account && browsers.nameOf(client.cookieHeader, account.employee_id)
  const tries =
    browser === undefined ? byUnknownBrowser(client, email ?? typed.email) : byKnownBrowser(browser)

  const admission = await takeAttempt(db, clock.now(), [...tries.shared, tries.own])
  if (!admission.ok) return { ok: false, why: 'wait', waitSeconds: admission.waitSeconds }

  const hash = account?.password_hash ?? (await dummyHash())
  const right = await verifyPassword(hash, truncatePassword(typed.password))
  if (!account || !right) return { ok: false, why: 'wrong' }

  const { company_id: companyId, employee_id: employeeId, has_two_factor: codeOwed } = account
  await endPreviousSession(parts, client)
  return db.tx(async (tx): Promise<SignInOutcome> => {
    // It may have been changed during the check.
    if (!(await lockPassword(tx, companyId, employeeId, hash))) return { ok: false, why: 'wrong' }
    for (const subject of tries.shared) await refundAttempt(tx, subject, clock.now())
    await resetAttempts(tx, tries.own)
    const who = { companyId, employeeId, secondFactorOwed: codeOwed }
    return { ok: true, cookies: await openSession(tx, parts, client, who), codeOwed }
  })
}

interface Tries {
  /** Subjects shared with others, whose failures are not reset by a success. */
  shared: RateLimitSubject[]
  own: RateLimitSubject
}

const byUnknownBrowser = ({ network }: RequestClient, email: string): Tries => ({
  shared: [{ kind: 'passwordPerAddress', of: network }],
  own: { kind: 'passwordPerAccount', of: email.toLowerCase() },
})

const byKnownBrowser = (name: string): Tries => ({
  shared: [],
  own: { kind: 'passwordPerKnownBrowser', of: name },
})
