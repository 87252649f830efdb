import type { Queryable, Tx } from '../../../platform/db/database.ts'
import { oneValue } from '../../../platform/db/rows.ts'
import { markMessagesSeen } from '../../messages/index.ts'
import type { View } from '../view.ts'

export function selectClockMicros(sql: Queryable) {
  return oneValue(sql<{ now: string }[]>`select iso_micros(clock_timestamp()) as now`)
}

/**
 * Blocks additions to these threads until the transaction ends. Always in the same order, to avoid deadlocks; by an
 * update, because a lock alone would remain visible afterwards (observeThread).
 */
export async function lockThreads(tx: Tx, companyId: string, phones: string[]) {
  await tx`
    select from external_numbers
    where company_id = ${companyId} and phone_number = any(${phones}::text[])
    order by phone_number for no key update`
  await tx`
    update external_numbers set stamped_at = stamped_at
    where company_id = ${companyId} and phone_number = any(${phones}::text[])`
}

/** Marks unseen items of these threads up to `through` as seen, and updates all counts. */
export async function updateSeen(
  tx: Tx,
  { companyId, numberId, withTexts }: Omit<View, 'country'>,
  phones: string[],
  through: string,
) {
  await tx`
    with seen as (
      update inbox_items set seen_at = clock_timestamp()
      where company_id = ${companyId} and phone_number = any(${phones}::text[])
        and incoming and seen_at is null and arrived_at <= ${through}::text::timestamptz
        ${numberId === undefined ? tx`` : tx`and business_number_id = ${numberId}`}
        ${withTexts ? tx`` : tx`and type <> 'message'`}
      returning id, type, phone_number, business_number_id, seen_at, replaced_at
    ), seen_messages as (
      ${markMessagesSeen(tx, companyId)}
    ), counted as (
      select phone_number, with_texts, scope_id, count(*) as count
      from seen, (values (true), (false)) as views (with_texts),
        lateral (values (${companyId}::uuid), (business_number_id)) as scopes (scope_id)
      where replaced_at is null and (with_texts or type <> 'message')
      group by 1, 2, 3
    )
    update inbox_threads set unseen_count = unseen_count - counted.count from counted
    where inbox_threads.company_id = ${companyId} and inbox_threads.phone_number = counted.phone_number
      and inbox_threads.with_texts = counted.with_texts and inbox_threads.scope_id = counted.scope_id`
}
