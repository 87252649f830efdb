import { sha256 } from '../../../platform/crypto/crypto.ts'
import { hashPassword, verifyPassword } from '../../../platform/crypto/passwords.ts'
import type { Database } from '../../../platform/db/database.ts'
import type { Actor } from '../../../platform/http/route.ts'
import {
  employeeJoined,
  findInvited,
  findPasswordHash,
  findResetting,
  type LinkHolder,
  lockEmployeeRow,
  lockPassword,
  NewPassword,
  PASSWORD_CHARACTERS,
  revokePasswordReset,
  updatePassword,
  useInvitation,
  usePasswordReset,
} from '../../employees/index.ts'
import { endAccess, type QueueTx } from '../../queue/index.ts'
import { notifyByEmail } from '../security-emails.ts'
import { endPreviousSession, openSession, type OpenSessionParts } from '../session/open-session.ts'
import { deleteSessionsOf } from '../session/queries.ts'
import type { RequestClient } from '../session/request-client.ts'
import type { Session } from '../session/sessions.ts'
import { type RateLimitSubject, resetAttempts, takeAttempt } from './attempts.ts'
import { truncatePassword } from './form-input.ts'

type Parts = OpenSessionParts & { db: Database }

/** What is wrong with a password, and the minimum or maximum number of characters. */
export interface PasswordFault {
  is: 'tooShort' | 'tooLong'
  characters: number
}

export type SetPasswordOutcome =
  | { ok: true; cookies: string[] }
  /** Used, expired, replaced, or never ours. */
  | { ok: false; why: 'dead_link' }
  | { ok: false; why: 'refused'; fault: PasswordFault }

/** Links that allow setting a password: how to find their employee, and how to use them up. */
const LINKS = {
  invitation: { find: findInvited, useUp: useInvitation },
  reset: { find: findResetting, useUp: usePasswordReset },
}
export type LinkKind = keyof typeof LINKS

export function linkHolderOf(
  { db, clock }: Parts,
  kind: LinkKind,
  token: string,
): Promise<LinkHolder | undefined> {
  return LINKS[kind].find(db.sql, sha256(token), clock.now())
}

/**
 * Sets the password of the recipient of the link. An invitation also signs them in; after a reset they sign in again,
 * with their second factor if they have one.
 */
export async function setPasswordByLink(
  parts: Parts,
  client: RequestClient,
  link: { kind: LinkKind; token: string },
  typed: string,
): Promise<SetPasswordOutcome> {
  const holder = await linkHolderOf(parts, link.kind, link.token)
  if (!holder) return { ok: false, why: 'dead_link' }
  const checked = checkPassword(typed)
  if (!checked.ok) return checked
  const hash = await hashPassword(checked.password)
  const { company_id: companyId, employee_id: employeeId } = holder
  if (link.kind === 'invitation') await endPreviousSession(parts, client)
  return inPlaceOfSessions(parts, { companyId, employeeId }, async (tx): Promise<SetPasswordOutcome> => {
    const isUsedUp =
      (await lockEmployeeRow(tx, companyId, employeeId)) &&
      (await LINKS[link.kind].useUp(tx, sha256(link.token)))
    if (!isUsedUp) return { ok: false, why: 'dead_link' }
    await replacePassword(tx, companyId, employeeId, hash)
    if (link.kind === 'reset') {
      await notifyByEmail(tx, 'password_reset', { companyId, employeeId }, parts.clock.now())
      // Whoever reads the employee's e-mail is trusted: their next sign-in attempts are not slowed down.
      return { ok: true, cookies: [parts.browsers.remember(client.cookieHeader, employeeId)] }
    }
    await employeeJoined(tx, companyId, employeeId)
    const who = { companyId, employeeId, secondFactorOwed: false }
    return { ok: true, cookies: await openSession(tx, parts, client, who) }
  })
}

export type ChangePasswordOutcome =
  | { ok: true; cookies: string[] }
  | { ok: false; why: 'wrong' }
  | { ok: false; why: 'refused'; fault: PasswordFault }
  | { ok: false; why: 'wait'; waitSeconds: number }

/** All sessions end; this browser gets a new one. */
export async function changePassword(
  parts: Parts,
  client: RequestClient,
  { actor }: Session,
  typed: { current: string; next: string },
): Promise<ChangePasswordOutcome> {
  const { db, clock } = parts
  const { companyId, employeeId } = actor
  const checked = checkPassword(typed.next)
  if (!checked.ok) return checked
  const tries: RateLimitSubject = { kind: 'codePerEmployee', of: `password of ${employeeId}` }
  const admission = await takeAttempt(db, clock.now(), [tries])
  if (!admission.ok) return { ok: false, why: 'wait', waitSeconds: admission.waitSeconds }
  const current = await findPasswordHash(db.sql, companyId, employeeId)
  if (!current || !(await verifyPassword(current, truncatePassword(typed.current))))
    return { ok: false, why: 'wrong' }
  const hash = await hashPassword(checked.password)
  return inPlaceOfSessions(parts, actor, async (tx): Promise<ChangePasswordOutcome> => {
    if (!(await lockPassword(tx, companyId, employeeId, current))) return { ok: false, why: 'wrong' }
    await resetAttempts(tx, tries)
    await replacePassword(tx, companyId, employeeId, hash)
    await notifyByEmail(tx, 'password_changed', actor, clock.now())
    const who = { ...actor, secondFactorOwed: false }
    return { ok: true, cookies: await openSession(tx, parts, client, who) }
  })
}

/** Devices of the sessions end with them. */
const inPlaceOfSessions = <T>(
  { db }: Parts,
  actor: Actor,
  replace: (tx: QueueTx) => Promise<T>,
): Promise<T> => db.tx((tx) => endAccess(tx, actor, replace))

/** All sessions and every link that could set another password end with the old one. */
async function replacePassword(
  tx: QueueTx,
  companyId: string,
  employeeId: string,
  hash: string,
): Promise<void> {
  await updatePassword(tx, companyId, employeeId, hash)
  await deleteSessionsOf(tx, companyId, employeeId)
  await revokePasswordReset(tx, companyId, employeeId)
}

type Checked = { ok: true; password: string } | { ok: false; why: 'refused'; fault: PasswordFault }

function checkPassword(typed: string): Checked {
  const result = NewPassword.safeParse({ password: typed })
  if (result.success) return { ok: true, password: result.data.password }
  const { min, max } = PASSWORD_CHARACTERS
  const isLong = result.error.issues.some(({ code }) => code === 'too_big')
  const fault: PasswordFault = isLong
    ? { is: 'tooLong', characters: max }
    : { is: 'tooShort', characters: min }
  return { ok: false, why: 'refused', fault }
}
