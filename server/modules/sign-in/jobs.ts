import { z } from 'zod'

import { handleJob, type JobHandler, jobKind } from '../../platform/jobs/job.ts'
import { deleteExpiredResets } from '../employees/index.ts'
import { LIMITS } from './limits.ts'
import { deleteForgottenAttempts } from './password/attempt-queries.ts'
import { type LetterParts, sendPasswordReset, sendResetLetter } from './password/password-resets.ts'
import { sendSecurityLetter, writeSecurityLetter } from './security-letters.ts'
import { deleteDeadSessions } from './session/queries.ts'

const cleanUp = jobKind('sign_in.clean_up', z.unknown())

export const signInJobs = (parts: LetterParts): JobHandler[] => [
  handleJob(sendPasswordReset, ({ email }) => sendResetLetter(parts, email)),
  handleJob(sendSecurityLetter, (payload) => writeSecurityLetter(parts, payload)),
  handleJob(cleanUp, () => removeExpired(parts), { schedule: 'hourly' }),
]

/** None of it is valid any more; this only frees space. */
function removeExpired({ db, clock }: LetterParts): Promise<void> {
  const now = clock.now()
  const before = (ms: number) => new Date(now.getTime() - ms)
  return db.tx(async (tx) => {
    await deleteDeadSessions(tx, {
      createdBefore: before(LIMITS.sessionMs),
      seenBefore: before(LIMITS.sessionIdleMs),
      owedBefore: before(LIMITS.secondFactorMs),
    })
    await deleteExpiredResets(tx, now)
    await deleteForgottenAttempts(tx, now)
  })
}
