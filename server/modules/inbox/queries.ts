import type { Queryable } from '../../platform/db/database.ts'
import { allValues, firstRow, oneRow } from '../../platform/db/rows.ts'
import type { ContactReference } from './schemas.ts'
import { scopeOf, type View } from './view.ts'

export function selectSettings(sql: Queryable, companyId: string, numberId: string | undefined) {
  return firstRow(sql<{ country: string; messaging_enabled: boolean; has_number: boolean }[]>`
    select country, messaging_enabled, exists (
      select from business_numbers where company_id = ${companyId} and id = ${numberId ?? null}
    ) as has_number
    from companies where id = ${companyId}`)
}

/** Those of these that the company has had to do with. */
export function selectKnownNumbers(sql: Queryable, companyId: string, phones: string[]) {
  return allValues(sql<{ phone_number: string }[]>`
    select phone_number from external_numbers
    where company_id = ${companyId} and phone_number = any(${phones}::text[])`)
}

export function selectContactReference(sql: Queryable, companyId: string, phone: string) {
  return firstRow(sql<ContactReference[]>`
    select id, name, phone, phone_formatted, email, company_name, note
    from contacts where company_id = ${companyId} and id = (
      select coalesce(main_id, id) from contacts where company_id = ${companyId} and phone = ${phone}
    )`)
}

/** The number of threads with unseen items, for each business number. */
export function selectUnseenCounts(sql: Queryable, { companyId, withTexts }: View) {
  return sql<{ id: string; name: string; unseen_count: number }[]>`
    select id, name, (
      select count(*) from inbox_threads
      where company_id = ${companyId} and scope_id = business_numbers.id and with_texts = ${withTexts}
        and unseen_count > 0
    )::integer as unseen_count
    from business_numbers where company_id = ${companyId} order by id`
}

/** A voicemail is new until somebody of the company has listened to it, or has seen it in the inbox. */
export function selectVoicemailCounts(sql: Queryable, companyId: string) {
  const isNew = sql`v.listened_at is null and i.seen_at is null`
  return oneRow(sql<{ new: number; old: number }[]>`
    select count(*) filter (where ${isNew})::int as new, count(*) filter (where not (${isNew}))::int as old
    from voicemails v left join inbox_items i on i.company_id = v.company_id and i.id = v.id
    where v.company_id = ${companyId}`)
}

/** The next threads with unseen items, oldest first. */
export function selectUnseenThreads(
  sql: Queryable,
  view: View,
  after: { lastAt: string; phone: string } | undefined,
  limit: number,
) {
  return sql<{ phone_number: string; last_at: string }[]>`
    select phone_number, iso_micros(last_at) as last_at from inbox_threads
    where company_id = ${view.companyId} and scope_id = ${scopeOf(view)} and with_texts = ${view.withTexts}
      and unseen_count > 0
      ${after ? sql`and (last_at, phone_number) > (${after.lastAt}::text::timestamptz, ${after.phone})` : sql``}
    order by last_at, phone_number limit ${limit}`
}
