import { z } from 'zod'

import { handleJob, type JobHandler, jobKind } from '../../platform/jobs/job.ts'
import { deleteExpiredResets } from '../employees/index.ts'
import { SIGN_IN_LIMITS } from './limits.ts'
import { deleteForgottenAttempts } from './password/attempt-queries.ts'
import { type ResetEmailParts, sendPasswordReset, sendResetEmail } from './password/password-resets.ts'
import { sendSecurityEmail, writeSecurityEmail } from './security-emails.ts'
import { deleteDeadSessions } from './session/queries.ts'

const cleanUp = jobKind('sign_in.clean_up', z.unknown())

export const signInJobs = (parts: ResetEmailParts): JobHandler[] => [
  handleJob(sendPasswordReset, ({ email }) => sendResetEmail(parts, email)),
  handleJob(sendSecurityEmail, (payload) => writeSecurityEmail(parts, payload)),
  handleJob(cleanUp, () => removeExpired(parts), { schedule: 'hourly' }),
]

/** None of it is valid any more; this only frees space. */
function removeExpired({ db, clock }: ResetEmailParts): Promise<void> {
  const now = clock.now()
  const before = (ms: number) => new Date(now.getTime() - ms)
  return db.tx(async (tx) => {
    await deleteDeadSessions(tx, {
      createdBefore: before(SIGN_IN_LIMITS.sessionMs),
      seenBefore: before(SIGN_IN_LIMITS.sessionIdleMs),
      owedBefore: before(SIGN_IN_LIMITS.secondFactorMs),
    })
    await deleteExpiredResets(tx, now)
    await deleteForgottenAttempts(tx, now)
  })
}
