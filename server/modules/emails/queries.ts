import type { Tx } from '../../platform/db/database.ts'
import { firstValue } from '../../platform/db/rows.ts'

/** The number of e-mails in a burst, and the interval after which another is allowed. */
export interface EmailRateLimit {
  atOnce: number
  everyMs: number
}

/** Whether another e-mail is allowed. A single statement, so that concurrent requests cannot exceed the limit. */
export async function countEmail(tx: Tx, subject: Buffer, now: Date, { atOnce, everyMs }: EmailRateLimit) {
  const step = tx`${everyMs} * interval '1 millisecond'`
  const { count } = await tx`
    insert into letter_paces as known (subject, paid_back_at) values (${subject}, ${now}::timestamptz + ${step})
    on conflict (subject) do update set paid_back_at = greatest(known.paid_back_at, ${now}) + ${step}
    where known.paid_back_at <= ${now}::timestamptz + ${(atOnce - 1) * everyMs} * interval '1 millisecond'`
  return count === 1
}

export function selectRefilledAt(tx: Tx, subject: Buffer) {
  return firstValue(tx<{ paid_back_at: Date }[]>`
    select paid_back_at from letter_paces where subject = ${subject}`)
}

export async function deleteRefilled(tx: Tx, now: Date) {
  await tx`delete from letter_paces where paid_back_at <= ${now}`
}
