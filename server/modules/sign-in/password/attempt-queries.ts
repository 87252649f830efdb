import type { Tx } from '../../../platform/db/database.ts'
import { firstValue, hasRow } from '../../../platform/db/rows.ts'
import { type AttemptRateLimit, SIGN_IN_LIMITS } from '../limits.ts'

/** Whether the attempt is allowed; one statement, so that concurrent attempts see each other. */
export function countAttempt(tx: Tx, subject: Buffer, now: Date, { free, slowestMs }: AttemptRateLimit) {
  return hasRow(tx`
    insert into attempts as known (subject, count, next_at, forgotten_at)
    values (${subject}, 1, ${now}, ${new Date(now.getTime() + SIGN_IN_LIMITS.attemptsKeptMs)})
    on conflict (subject) do update set
      count = case when known.forgotten_at <= ${now} then 1 else known.count + 1 end,
      next_at = case
        when known.forgotten_at <= ${now} or known.count + 1 < ${free} then ${now}
        else ${now}::timestamptz + interval '1 millisecond'
          * least(${slowestMs}::float, ${SIGN_IN_LIMITS.firstWaitMs} * 2 ^ least(known.count + 1 - ${free}, 20))
      end,
      forgotten_at = excluded.forgotten_at
    where known.next_at <= ${now}
    returning subject`)
}

export function selectNextAt(tx: Tx, subject: Buffer) {
  return firstValue(tx<{ next_at: Date }[]>`select next_at from attempts where subject = ${subject}`)
}

export async function deleteAttempts(tx: Tx, subject: Buffer) {
  await tx`delete from attempts where subject = ${subject}`
}

export async function uncountAttempt(tx: Tx, subject: Buffer, now: Date) {
  await tx`
    update attempts set count = greatest(count - 1, 0), next_at = least(next_at, ${now})
    where subject = ${subject}`
}

export async function deleteForgottenAttempts(tx: Tx, now: Date) {
  await tx`delete from attempts where forgotten_at <= ${now}`
}
