import { createHmac, hkdfSync } from 'node:crypto'

import type { Clock } from '../../../platform/clock.ts'
import { sameBytes, sha256 } from '../../../platform/crypto/crypto.ts'
import type { Database, Queryable } from '../../../platform/db/database.ts'
import { html, type Html } from '../../../platform/http/html.ts'
import type { Actor } from '../../../platform/http/route.ts'
import { SIGN_IN_LIMITS } from '../limits.ts'
import type { Cookies } from './cookies.ts'
import { selectSession, selectSessionStart, type SessionRow, updateLastSeen } from './queries.ts'

/** An employee who is signed in at a browser. */
export interface Session {
  sessionId: string
  actor: Actor
  employee: { id: string; name: string; email: string }
  company: { id: string; name: string }
  hasTwoFactor: boolean
  requiresTwoFactor: boolean
  /** When it expires, unless it is used before. */
  endsAt: Date
  /** Required in every form of this session: `csrfField` adds it, `hasCsrfToken` checks it. */
  csrfToken: string
}

/** What the session still needs before it may be used. */
export type PendingStep = 'code' | 'two_factor_setup' | 'nothing'

/** The channel on which the database notifies of sessions that ended, or need something more. */
export const SESSION_ENDED_CHANNEL = 'session_gone'

export interface Sessions {
  /** Whether there is a session token, valid or not. */
  isCookieIn(cookieHeader: string | undefined): boolean
  /** A complete session: with the second factor, if the employee has one or the company requires it. */
  sessionOf(cookieHeader: string | undefined): Promise<Session | null>
  /** Includes incomplete sessions. */
  anySessionOf(cookieHeader: string | undefined): Promise<{ session: Session; lacks: PendingStep } | null>
}

const CSRF_FIELD = 'csrf_token'

export function createSessions(parts: { db: Database; clock: Clock; secret: string; cookies: Cookies }) {
  const { db, clock, cookies } = parts
  const csrfKey = Buffer.from(hkdfSync('sha256', parts.secret, '', 'bellhop form tokens', 32))

  async function anySessionOf(cookieHeader: string | undefined) {
    const token = cookies.read(cookieHeader, 'session')
    const row = token && (await selectSession(db.sql, sha256(token)))
    const now = clock.now()
    if (!row || now >= endOf(row)) return null
    if (now.getTime() - row.last_seen_at.getTime() >= SIGN_IN_LIMITS.sessionSeenMs) {
      await updateLastSeen(db.sql, row.company_id, row.id, now)
      row.last_seen_at = now
    }
    const csrfToken = createHmac('sha256', csrfKey).update(row.id).digest('base64url')
    return { session: present(row, csrfToken), lacks: lackOf(row) }
  }

  return {
    isCookieIn: (cookieHeader) => cookies.read(cookieHeader, 'session') !== undefined,
    anySessionOf,
    async sessionOf(cookieHeader: string | undefined) {
      const found = await anySessionOf(cookieHeader)
      return found?.lacks === 'nothing' ? found.session : null
    },
  } satisfies Sessions
}

/** Checked on every use, so that it also applies to sessions from before the company required a second factor. */
function lackOf(row: SessionRow): PendingStep {
  if (row.second_factor_owed) return 'code'
  return row.requires_two_factor && !row.has_two_factor ? 'two_factor_setup' : 'nothing'
}

/** When the session ends even if it is used; undefined if there is none. */
export async function sessionExpiryOf(
  sql: Queryable,
  companyId: string,
  sessionId: string,
): Promise<Date | undefined> {
  const createdAt = await selectSessionStart(sql, companyId, sessionId)
  return createdAt && new Date(createdAt.getTime() + SIGN_IN_LIMITS.sessionMs)
}

function endOf(row: SessionRow): Date {
  const created = row.created_at.getTime()
  return new Date(
    row.second_factor_owed
      ? created + SIGN_IN_LIMITS.secondFactorMs
      : Math.min(
          created + SIGN_IN_LIMITS.sessionMs,
          row.last_seen_at.getTime() + SIGN_IN_LIMITS.sessionIdleMs,
        ),
  )
}

const present = (row: SessionRow, csrfToken: string): Session => ({
  sessionId: row.id,
  actor: { companyId: row.company_id, employeeId: row.employee_id },
  employee: { id: row.employee_id, name: row.employee_name, email: row.employee_email },
  company: { id: row.company_id, name: row.company_name },
  hasTwoFactor: row.has_two_factor,
  requiresTwoFactor: row.requires_two_factor,
  endsAt: endOf(row),
  csrfToken,
})

/** Part of every form of a session. */
export const csrfField = ({ csrfToken }: Session): Html =>
  html`<input type="hidden" name="${CSRF_FIELD}" value="${csrfToken}" />`

export function hasCsrfToken({ csrfToken }: Session, form: URLSearchParams): boolean {
  return sameBytes(sha256(form.get(CSRF_FIELD) ?? ''), sha256(csrfToken))
}
