import type { Fragment, Queryable } from '../../../platform/db/database.ts'
import type { Message } from '../../messages/index.ts'
import type { PhoneMatch } from '../search/search.ts'
import { scopeOf, type View } from '../view.ts'

export interface ThreadRow {
  phone_number: string
  last_at: string
  unseen_count: number
  business_number_ids: string[]
  last_activity_at: Date
  item_id: string
  type: 'call' | 'voicemail' | 'message'
  incoming: boolean
  business_number_id: string
  /** Whether that number can send texts, if the company may. */
  can_send: boolean
  missed: boolean | null
  /** The beginning of a call's summary or a voicemail's transcript. */
  words: string | null
  status: Message['status'] | null
  contact_id: string | null
  contact_name: string | null
  contact_phone: string
  contact_phone_formatted: string
  contact_email: string | null
  contact_company_name: string | null
  contact_note: string | null
}

export interface ThreadsWhere {
  unseen: boolean
  before?: { lastAt: string; phone: string }
  match?: PhoneMatch
}

/** The threads with the newest activity. */
export function selectThreads(sql: Queryable, view: View, where: ThreadsWhere, limit: number) {
  const order = sql`last_at desc, phone_number desc`
  const isNext = where.before
    ? sql`and (last_at, phone_number) < (${where.before.lastAt}::text::timestamptz, ${where.before.phone})`
    : sql``
  const page = sql`
    select * from ${newest(sql, view, where, sql`${isNext} order by ${order} limit 101`)}
    where true ${where.unseen ? sql`and unseen_count > 0` : sql``} ${isNext} order by ${order} limit 101`
  return selectThreadRows(sql, view, { page, order }, limit)
}

interface ThreadPageParts {
  /** Rows of `inbox_threads`, one more than the maximum page size. */
  page: Fragment
  order: Fragment
  /** More columns, each after a comma. */
  more?: Fragment
}

/**
 * What is shown of a page of threads. The maximum page size is a literal in the query, so that PostgreSQL knows how few
 * rows there are, and uses index look-ups for the rest.
 */
export function selectThreadRows<More = unknown>(
  sql: Queryable,
  { companyId, withTexts }: View,
  { page, order, more }: ThreadPageParts,
  limit: number,
) {
  return sql<(ThreadRow & More)[]>`
    with page as materialized (${page})
    select page.phone_number, iso_micros(page.last_at) as last_at, page.unseen_count,
      (
        select array_agg(scope_id order by inbox_threads.last_at desc) from inbox_threads
        where company_id = ${companyId} and phone_number = page.phone_number and with_texts = ${withTexts}
          and scope_id <> ${companyId}
      ) as business_number_ids,
      page.last_at as last_activity_at,
      i.id as item_id, i.type, i.incoming, i.business_number_id,
      n.sms_capable and n.retired_at is null as can_send,
      i.incoming and k.state = 'ended' and k.answered_at is null as missed,
      left(coalesce(k.summary, v.transcription), 1000) as words, m.status,
      c.id as contact_id, c.name as contact_name, c.phone as contact_phone,
      c.phone_formatted as contact_phone_formatted,
      c.email as contact_email, c.company_name as contact_company_name, c.note as contact_note
      ${more ?? sql``}
    from (
      select row_number() over (order by ${order}) as place, page.* from page order by ${order} limit ${limit}
    ) as page
    join inbox_items i on i.company_id = ${companyId} and i.id = page.last_item_id
    join business_numbers n on n.company_id = ${companyId} and n.id = i.business_number_id
    left join calls k on i.type = 'call' and k.company_id = ${companyId} and k.id = i.id
    left join voicemails v on i.type = 'voicemail' and v.company_id = ${companyId} and v.id = i.id
    left join messages m on i.type = 'message' and m.company_id = ${companyId} and m.id = i.id
    left join contacts has_number on has_number.company_id = ${companyId} and has_number.phone = page.phone_number
    left join contacts c on c.company_id = ${companyId} and c.id = coalesce(has_number.main_id, has_number.id)
    order by page.place`
}

/** The rows of a view. */
export const rowsOfView = (sql: Queryable, view: View) => sql`
  company_id = ${view.companyId} and scope_id = ${scopeOf(view)} and with_texts = ${view.withTexts}`

/** Of each standing the newest, because the index is in their order. */
function newest(sql: Queryable, view: View, { match, unseen }: ThreadsWhere, first: Fragment) {
  if (match && match.part === undefined) return matchingThreads(sql, view, match)
  const wanted = match ? sql`${rowsOfView(sql, view)} and ${isMatch(sql, match)}` : rowsOfView(sql, view)
  if (unseen) return sql`(select * from inbox_threads where ${wanted}) as threads`
  return sql`(
    (select * from inbox_threads where ${wanted} and standing = 0 ${first})
    union all (select * from inbox_threads where ${wanted} and standing = 1 ${first})
    union all (select * from inbox_threads where ${wanted} and standing = 2 ${first})
    union all (select * from inbox_threads where ${wanted} and standing = 3 ${first})
  ) as threads`
}

export function matchingThreads(sql: Queryable, view: View, match: PhoneMatch) {
  const ofView = rowsOfView(sql, view)
  if (match.part === undefined) {
    // Looked up one by one; without the offset, PostgreSQL might scan all threads for these few.
    return sql`
      unnest(${match.phones}::text[]) as phone
      cross join lateral (
        select * from inbox_threads where ${ofView} and phone_number = phone offset 0
      ) as threads`
  }
  return sql`(select * from inbox_threads where ${ofView} and ${isMatch(sql, match)}) as threads`
}

const isMatch = (sql: Queryable, { part, phones }: PhoneMatch) =>
  sql`(phone_number like ${`%${part}%`} or phone_number = any(${phones}::text[]))`
