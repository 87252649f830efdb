import type { Clock } from '../../platform/clock.ts'
import { randomToken, sha256 } from '../../platform/crypto.ts'
import type { Tx } from '../../platform/db/database.ts'
import type { Cookies } from './cookies.ts'
import type { KnownBrowsers } from './known-browser.ts'
import { LIMITS } from './limits.ts'
import { deleteSessionByToken, insertSession } from './queries.ts'
import type { Visitor } from './visitor.ts'

export interface OpenSessionParts {
  clock: Clock
  cookies: Cookies
  browsers: KnownBrowsers
}

/**
 * A new session in place of the one the browser had, if any, and the cookies that carry it. Its token is made here
 * and leaves in the cookie; only its hash is kept.
 */
export async function openSession(
  tx: Tx,
  { clock, cookies, browsers }: OpenSessionParts,
  visitor: Visitor,
  who: { companyId: string; employeeId: string; secondFactorOwed: boolean },
): Promise<string[]> {
  const { companyId, employeeId, secondFactorOwed } = who
  const now = clock.now()
  const token = randomToken()
  const previous = cookies.read(visitor.cookieHeader, 'session')
  if (previous) await deleteSessionByToken(tx, sha256(previous))
  await insertSession(tx, {
    company_id: companyId,
    employee_id: employeeId,
    token_hash: sha256(token),
    second_factor_owed: secondFactorOwed,
    user_agent: visitor.userAgent,
    created_at: now,
    last_seen_at: now,
  })
  const session = cookies.set('session', token, secondFactorOwed ? LIMITS.secondFactorMs : LIMITS.sessionMs)
  // The password alone does not make it the employee's browser, where more is asked for.
  return secondFactorOwed ? [session] : [session, browsers.remember(visitor.cookieHeader, employeeId)]
}
