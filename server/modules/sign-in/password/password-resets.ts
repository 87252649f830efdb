import { z } from 'zod'

import { randomToken, sha256 } from '../../../platform/crypto/crypto.ts'
import type { Dependencies } from '../../../platform/dependencies.ts'
import { enqueue, jobKind } from '../../../platform/jobs/job.ts'
import { trusted } from '../../../platform/text/email-text.ts'
import type { Mailer } from '../../../providers/email/port.ts'
import { inviteEmployee, languageFor, lockAccountForReset, savePasswordReset } from '../../employees/index.ts'
import { SIGN_IN_LIMITS } from '../limits.ts'
import type { RequestClient } from '../session/request-client.ts'
import { resetEmailTexts } from '../texts/emails.ts'
import { type AttemptDecision, takeAttempt } from './attempts.ts'
import { parseEmailInput } from './form-input.ts'

/** The address is looked up in the job and not in the request, whose response must not depend on it. */
export const sendPasswordReset = jobKind('sign_in.send_password_reset', z.object({ email: z.string() }))

export async function requestPasswordReset(
  { db, clock }: Dependencies<'db' | 'clock'>,
  { network }: RequestClient,
  typed: string,
): Promise<AttemptDecision> {
  const email = parseEmailInput(typed)
  const admission = await takeAttempt(db, clock.now(), [
    { kind: 'resetPerAddress', of: network },
    { kind: 'resetPerAccount', of: (email ?? typed).toLowerCase() },
  ])
  if (admission.ok && email !== undefined) await db.tx((tx) => enqueue(tx, sendPasswordReset, { email }))
  return admission
}

export interface ResetEmailParts extends Dependencies<'db' | 'clock'> {
  mailer: Mailer
  baseUrl: string
}

/** The link is created as late as possible and stored only as a hash, so it is never in a queue. */
export async function sendResetEmail(
  { db, mailer, clock, baseUrl }: ResetEmailParts,
  email: string,
): Promise<void> {
  const token = randomToken()
  const expiresAt = new Date(clock.now().getTime() + SIGN_IN_LIMITS.passwordResetMs)
  const forgetful = await db.tx(async (tx) => {
    const found = await lockAccountForReset(tx, email)
    if (!found) return undefined
    const { company_id, employee_id } = found
    // There is no password yet that could be forgotten: they need the invitation again.
    if (found.invitation_pending) {
      await enqueue(tx, inviteEmployee, { employeeId: employee_id })
      return undefined
    }
    const values = { company_id, employee_id, email: found.email, expires_at: expiresAt }
    await savePasswordReset(tx, { ...values, token_hash: sha256(token) })
    return found
  })
  if (!forgetful) return
  const { company_id: companyId, employee_id: employeeId, name } = forgetful
  const t = resetEmailTexts[await languageFor(db.sql, { companyId, employeeId })]
  const link = trusted(`${baseUrl}/password-resets/${token}`)
  await mailer.send({ to: forgetful.email, subject: t.subject, text: t.body({ name, link }) })
}
