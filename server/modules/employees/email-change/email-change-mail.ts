import { randomToken, sha256 } from '../../../platform/crypto/crypto.ts'
import { emailText, trusted } from '../../../platform/text/email-text.ts'
import type { InvitationParts } from '../invitations.ts'
import { languageFor } from '../language.ts'
import { lockEmailState, selectNames, updateCancelHash, updateConfirmHash } from './email-change-queries.ts'
import { EMAIL_CONFIRMATION_DAYS, emailChangeMailTexts } from './email-change-texts.ts'
import { isSameEmail } from './same-email.ts'

export interface ChangedEmail {
  companyId: string
  employeeId: string
  /** The unconfirmed address. */
  email: string
}

/** Each attempt creates a new link. Only its hash is stored, so no job payload ever contains the link. */
export async function sendConfirmation(
  { db, mailer, clock, baseUrl }: InvitationParts,
  { companyId, employeeId, email }: ChangedEmail,
): Promise<void> {
  const token = randomToken()
  const expiresAt = new Date(clock.now().getTime() + EMAIL_CONFIRMATION_DAYS * 24 * 60 * 60 * 1000)
  const names = await db.tx(async (tx) => {
    const employee = await lockEmailState(tx, companyId, employeeId)
    // The change was confirmed, cancelled or replaced meanwhile, or the employee was deleted.
    if (!isSameEmail(employee?.unconfirmed_email, email)) return undefined
    await updateConfirmHash(tx, companyId, employeeId, { hash: sha256(token), expiresAt })
    return selectNames(tx, companyId, employeeId)
  })
  if (!names) return
  const t = emailChangeMailTexts[await languageFor(db.sql, { companyId, employeeId })]
  const link = trusted(`${baseUrl}/email-confirmations/${token}`)
  const text = t.confirm({ name: names.name, company: names.company_name, link })
  await mailer.send({ to: email, subject: t.confirmSubject, text })
}

export async function writeEmailChangeNotice(
  { db, mailer, baseUrl }: InvitationParts,
  { companyId, employeeId, email, from, by, at }: ChangedEmail & { from: string; by: string; at: string },
): Promise<void> {
  const token = randomToken()
  const found = await db.tx(async (tx) => {
    const employee = await lockEmailState(tx, companyId, employeeId)
    const isWaiting = isSameEmail(employee?.unconfirmed_email, email)
    // The change was cancelled or replaced meanwhile, or the employee was deleted. A confirmed one is still reported.
    if (!isWaiting && !isSameEmail(employee?.email, email)) return undefined
    if (isWaiting) await updateCancelHash(tx, companyId, employeeId, sha256(token))
    const names = await selectNames(tx, companyId, employeeId)
    return names && { ...names, isWaiting, by: (await selectNames(tx, companyId, by))?.name }
  })
  if (!found) return
  const t = emailChangeMailTexts[await languageFor(db.sql, { companyId, employeeId })]
  const { name, company_name: company } = found
  const who = by === employeeId ? t.byYou : found.by === undefined ? t.bySomeone : t.by(found.by)
  const time = trusted(`${at.slice(0, 10)} ${at.slice(11, 16)} UTC`)
  const undo = found.isWaiting ? t.takeBack(trusted(`${baseUrl}/email-cancellations/${token}`)) : t.tooLate
  const text = emailText`${trusted(t.changed({ name, company, email, time, who: trusted(who) }))}
${trusted(undo)}`
  await mailer.send({ to: from, subject: t.changedSubject, text })
}
