import { randomToken, sha256 } from '../../platform/crypto/crypto.ts'
import type { Dependencies } from '../../platform/dependencies.ts'
import { trusted } from '../../platform/text/email-text.ts'
import type { Mailer } from '../../providers/email/port.ts'
import { INVITATION_DAYS, invitationTexts } from './invitation-texts.ts'
import { languageFor } from './language.ts'
import { lockInvitee, upsertInvitation } from './queries.ts'

export interface InvitationParts extends Dependencies<'db' | 'clock'> {
  mailer: Mailer
  baseUrl: string
}

/** Each attempt creates a new link. Only its hash is stored, so no job payload ever contains the link. */
export async function sendInvitation({ db, mailer, clock, baseUrl }: InvitationParts, employeeId: string) {
  const token = randomToken()
  const expiresAt = new Date(clock.now().getTime() + INVITATION_DAYS * 24 * 60 * 60 * 1000)
  const invitee = await db.tx(async (tx) => {
    const invitee = await lockInvitee(tx, employeeId)
    if (invitee) await upsertInvitation(tx, employeeId, sha256(token), expiresAt)
    return invitee
  })
  // The employee was deleted or accepted an invitation meanwhile.
  if (!invitee) return
  const { name, email, company_id: companyId, company_name: company } = invitee
  const t = invitationTexts[await languageFor(db.sql, { companyId, employeeId })]
  const link = trusted(`${baseUrl}/invitations/${token}`)
  await mailer.send({ to: email, subject: t.subject(company), text: t.body({ name, company, link }) })
}
