import type { Fragment, Queryable } from '../../../platform/db/database.ts'
import { allValues, oneValue } from '../../../platform/db/rows.ts'
import { scopeOf, type View } from '../view.ts'

/** Whether the view has a thread with the number in the column `phone`, as an expression. */
export const hasThread = (sql: Queryable, view: View): Fragment => sql`(
  -- Not exists: as a join, it would compare each contact with all threads of the company.
  select true from inbox_threads
  where company_id = ${view.companyId} and phone_number = phone and with_texts = ${view.withTexts}
    and scope_id = ${scopeOf(view)}
  limit 1
)`

const LAST_CHARACTER = '\u{10ffff}'

/** Up to `limit` ends of external numbers, and of the names of senders without one, that begin with this text. */
const endsFrom = (sql: Queryable, companyId: string, text: string, limit: number) => sql`
  select phone_number from external_number_ends
  where company_id = ${companyId} and digits >= search_text(${text})
    and digits < search_text(${text}) || ${LAST_CHARACTER}
  limit ${limit}`

/** External numbers that have these digits in a row somewhere; undefined if they are more than `limit`. */
export async function selectPhonesWith(
  sql: Queryable,
  companyId: string,
  digits: string,
  limit: number,
): Promise<string[] | undefined> {
  const phones = await oneValue(sql<{ phones: string[] | null }[]>`
    select case when count(*) <= ${limit} then coalesce(array_agg(distinct phone_number), '{}') end as phones
    from (${endsFrom(sql, companyId, digits, limit + 1)}) as found`)
  return phones ?? undefined
}

/** Callers and senders without a number who have the words in their name. */
export function selectSendersWith(
  sql: Queryable,
  companyId: string,
  words: string,
  limit: number,
): Promise<string[]> {
  return allValues(sql<{ phone_number: string }[]>`
    select distinct phone_number from (${endsFrom(sql, companyId, words, limit)}) as found`)
}
