import { randomToken, sha256 } from '../../platform/crypto/crypto.ts'
import type { Dependencies } from '../../platform/dependencies.ts'
import { emailText, trusted, type TrustedText } from '../../platform/text/email-text.ts'
import type { Mailer } from '../../providers/email/port.ts'
import { lockInvitee, upsertInvitation } from './queries.ts'

export interface InvitationParts extends Dependencies<'db' | 'clock'> {
  mailer: Mailer
  baseUrl: string
}

const INVITATION_DAYS = 14

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
  await mailer.send({
    to: invitee.email,
    subject: emailText`Your phone at ${invitee.company_name}`,
    text: bodyOf({ ...invitee, link: trusted(`${baseUrl}/invitations/${token}`) }),
  })
}

const bodyOf = ({ name, company_name, link }: { name: string; company_name: string; link: TrustedText }) =>
  emailText`Hello ${name},

${company_name} uses Bellhop for its calls and has added you.
Choose a password to start:

${link}

The link works once and for ${INVITATION_DAYS} days.
`
