import { z } from 'zod'

import type { Tx } from '../../platform/db/database.ts'
import type { Actor } from '../../platform/http/route.ts'
import { enqueue, jobKind } from '../../platform/jobs/job.ts'
import { trusted } from '../../platform/text/email-text.ts'
import { findAddressee, languageFor } from '../employees/index.ts'
import type { ResetEmailParts } from './password/password-resets.ts'
import { securityEmailTexts } from './texts/emails.ts'

const HAPPENINGS = ['password_changed', 'password_reset', 'two_factor_off'] as const
type Happening = (typeof HAPPENINGS)[number]

export const sendSecurityEmail = jobKind(
  'sign_in.send_security_letter',
  z.object({
    companyId: z.string(),
    employeeId: z.string(),
    what: z.enum(HAPPENINGS),
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
  const t = securityEmailTexts[await languageFor(db.sql, actor)]
  const { subject, sentence } = t[what]
  const text = t.body({
    name: addressee.name,
    sentence: trusted(sentence),
    day: trusted(at.slice(0, 10)),
    time: trusted(at.slice(11, 16)),
    link: trusted(`${baseUrl}/password-reset`),
  })
  await mailer.send({ to: addressee.email, subject, text })
}
