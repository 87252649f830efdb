import type { Clock } from '../../../platform/clock.ts'
import { randomToken, sha256 } from '../../../platform/crypto/crypto.ts'
import type { Database, Tx } from '../../../platform/db/database.ts'
import type { Actor } from '../../../platform/http/route.ts'
import { hasChosenLanguage, languageCookie } from '../../../platform/http/viewer-preferences.ts'
import { usedLanguage } from '../../employees/index.ts'
import { SIGN_IN_LIMITS } from '../limits.ts'
import type { Cookies } from './cookies.ts'
import { endSession } from './end-session.ts'
import type { KnownBrowsers } from './known-browser.ts'
import { insertSession, selectSession } from './queries.ts'
import type { RequestClient } from './request-client.ts'

export interface OpenSessionParts {
  clock: Clock
  cookies: Cookies
  browsers: KnownBrowsers
}

/**
 * Ends the previous session of the browser, if any. In a separate transaction: it may belong to somebody else, in
 * another company, and no transaction takes the locks of two.
 */
export async function endPreviousSession(
  { db, cookies }: Pick<OpenSessionParts, 'cookies'> & { db: Database },
  { cookieHeader }: RequestClient,
): Promise<void> {
  const token = cookies.read(cookieHeader, 'session')
  const row = token && (await selectSession(db.sql, sha256(token)))
  if (!row) return
  const actor = { companyId: row.company_id, employeeId: row.employee_id }
  await db.tx((tx) => endSession(tx, actor, row.id))
}

/**
 * A new session with its cookies. The token is only in the cookie; its hash is stored.
 */
export async function openSession(
  tx: Tx,
  { clock, cookies, browsers }: OpenSessionParts,
  client: RequestClient,
  who: { companyId: string; employeeId: string; secondFactorOwed: boolean },
): Promise<string[]> {
  const { companyId, employeeId, secondFactorOwed } = who
  const now = clock.now()
  const token = randomToken()
  await insertSession(tx, {
    company_id: companyId,
    employee_id: employeeId,
    token_hash: sha256(token),
    second_factor_owed: secondFactorOwed,
    user_agent: client.userAgent,
    created_at: now,
    last_seen_at: now,
  })
  const session = cookies.set(
    'session',
    token,
    secondFactorOwed ? SIGN_IN_LIMITS.secondFactorMs : SIGN_IN_LIMITS.sessionMs,
  )
  // If a second factor is required, the password alone does not make it a known browser.
  if (secondFactorOwed) return [session]
  const known = browsers.remember(client.cookieHeader, employeeId)
  return [session, known, ...(await ownLanguage(tx, client, who))]
}

/** A browser in which nobody has chosen a language shows the one that the employee uses elsewhere. */
async function ownLanguage(tx: Tx, { cookieHeader }: RequestClient, actor: Actor): Promise<string[]> {
  const language = hasChosenLanguage(cookieHeader) ? undefined : await usedLanguage(tx, actor)
  return language ? [languageCookie(language)] : []
}
