import type { Queryable } from '../../../platform/db/database.ts'
import { oneValue } from '../../../platform/db/rows.ts'
import { wrapUpColumns, type WrapUpRow } from '../../calls/index.ts'
import { employeesEver } from '../../employees/index.ts'
import { transcriptOf } from '../../transcripts/index.ts'
import type { CallItem } from '../schemas.ts'
import type { View } from '../view.ts'

/**
 * The latest time up to which everything in the thread is known: whatever is not yet committed will be later. A
 * writer first updates the row of the thread, which is visible (xmax) during its transaction; then the newest
 * readable item is the boundary. For a thread that does not exist yet this cannot be seen, so the boundary is a
 * minute ago, which is longer than our transactions take.
 */
export function observeThread(sql: Queryable, companyId: string, phone: string): Promise<string> {
  return oneValue(sql<{ observed_at: string }[]>`
    select iso_micros(coalesce(
      (
        select case when xmax::text = '0' then greatest(stamped_at, statement_timestamp()) else stamped_at end
        from external_numbers where company_id = ${companyId} and phone_number = ${phone}
      ),
      statement_timestamp() - interval '1 minute'
    )) as observed_at`)
}

export interface ItemRow extends WrapUpRow {
  id: string
  type: 'call' | 'voicemail' | 'message'
  arrived_at: string
  created_at: Date
  business_number_id: string
  business_number_name: string
  number: string
  incoming: boolean
  seen_at: Date | null
  state: CallItem['state']
  missed: boolean
  summary: string | null
  has_transcription: boolean
  duration: number | null
  employee: { id: string; name: string } | null
  transcription: string | null
  recording_key: string | null
  listened: boolean
  call_id: string | null
}

/** The newest items as of `observedAt`, before `before`. The maximum page size is a literal, as in selectThreads. */
export function selectItems(
  sql: Queryable,
  { companyId, numberId, withTexts }: View,
  { phone, observedAt, before }: { phone: string; observedAt: string; before?: string },
  limit: number,
) {
  return sql<ItemRow[]>`
    with page as materialized (
      select * from inbox_items
      where company_id = ${companyId} and phone_number = ${phone}
        ${numberId === undefined ? sql`` : sql`and business_number_id = ${numberId}`}
        ${withTexts ? sql`` : sql`and type <> 'message'`}
        and arrived_at <= ${observedAt}::text::timestamptz
        ${before === undefined ? sql`` : sql`and arrived_at < ${before}::text::timestamptz`}
        and (replaced_at is null or replaced_at > ${observedAt}::text::timestamptz)
      order by arrived_at desc limit 101
    )
    select i.id, i.type, iso_micros(i.arrived_at) as arrived_at, i.arrived_at as created_at,
      n.id as business_number_id, n.name as business_number_name, n.number, i.incoming, i.seen_at,
      k.state, i.incoming and k.state = 'ended' and k.answered_at is null as missed, k.summary,
      ${transcriptOf(sql, sql`k.transcription`)} is not null as has_transcription, ${wrapUpColumns(sql, sql`k`)},
      case
        when i.type = 'voicemail' then v.seconds
        when k.ended_at is null then null when k.answered_at is null then 0
        else greatest(0, round(extract(epoch from k.ended_at - k.answered_at)))
      end::integer as duration,
      (
        select json_build_object('id', e.id, 'name', e.name) from ${employeesEver(sql)} e
        where e.company_id = ${companyId} and e.id = coalesce(k.initiated_by, (
          select employee_id from call_employees
          where company_id = ${companyId} and call_id = k.id order by joined_at, employee_id limit 1
        ))
      ) as employee,
      ${transcriptOf(sql, sql`v.transcription`)} as transcription, v.recording_key, v.listened_at is not null as listened, v.call_id
    from (select * from page order by arrived_at desc limit ${limit}) as i
    join business_numbers n on n.company_id = ${companyId} and n.id = i.business_number_id
    left join calls k on i.type = 'call' and k.company_id = ${companyId} and k.id = i.id
    left join voicemails v on i.type = 'voicemail' and v.company_id = ${companyId} and v.id = i.id
    order by i.arrived_at desc`
}
