import { z } from 'zod'

import type { Tx } from '../../platform/db/database.ts'
import type { Actor } from '../../platform/http/route.ts'
import { enqueue, jobKind } from '../../platform/jobs/job.ts'
import { emailText, trusted } from '../../platform/text/email-text.ts'
import { findAddressee } from '../employees/index.ts'
import type { ResetEmailParts } from './password/password-resets.ts'

/** Changes that an attacker would want to hide. */
const HAPPENED = {
  password_changed: {
    subject: emailText`Your password for Bellhop was changed`,
    sentence: 'the password for your phone was changed, and you were signed out everywhere else.',
  },
  password_reset: {
    subject: emailText`Your password for Bellhop was changed`,
    sentence: 'a new password for your phone was chosen by the link that we sent to this address.',
  },
  two_factor_off: {
    subject: emailText`Two-factor sign-in was switched off`,
    sentence:
      'two-factor sign-in was switched off for your phone: your password alone now opens your account.',
  },
}
type Happening = keyof typeof HAPPENED

export const sendSecurityEmail = jobKind(
  'sign_in.send_security_letter',
  z.object({
    companyId: z.string(),
    employeeId: z.string(),
    what: z.enum(Object.keys(HAPPENED) as [Happening, ...Happening[]]),
    at: z.iso.datetime(),
  }),
)

/** Part of the transaction of the change, so that the e-mail is sent if and only if it commits. */
export async function notifyByEmail(
  tx: Tx,
  what: Happening,
  { companyId, employeeId }: Actor,
  at: Date,
): Promise<void> {
  await enqueue(tx, sendSecurityEmail, { companyId, employeeId, what, at: at.toISOString() })
}

export async function writeSecurityEmail(
  { db, mailer, baseUrl }: ResetEmailParts,
  { what, at, ...actor }: z.output<typeof sendSecurityEmail.payload>,
): Promise<void> {
  const addressee = await findAddressee(db.sql, actor)
  if (!addressee) return
  const { subject, sentence } = HAPPENED[what]
  await mailer.send({ to: addressee.email, subject, text: bodyOf(addressee.name, sentence, at, baseUrl) })
}

const bodyOf = (name: string, sentence: string, at: string, baseUrl: string) =>
  emailText`Hello ${name},

${trusted(sentence)}
It happened on ${trusted(at.slice(0, 10))} at ${trusted(at.slice(11, 16))} UTC.

If this was you, you can ignore this e-mail. If not, someone else may have access to your
account. Choose another password at once, at

${trusted(baseUrl)}/password-reset

and tell whoever looks after Bellhop in your company.
`
