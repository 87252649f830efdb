import type { Fragment, Queryable } from '../../../platform/db/database.ts'
import { allValues } from '../../../platform/db/rows.ts'

/**
 * Phones of contacts with activity who have the words in what is known of them, and for whom `condition`, on the
 * column `phone`, is true. Goes through the slices from the newest until it has enough. What the index finds is looked
 * at again: digits may have met those that stand for a letter (in_ascii).
 */
export function selectContactPhones(
  sql: Queryable,
  companyId: string,
  { words, condition, limit }: { words: string; condition: Fragment; limit: number },
): Promise<string[]> {
  return allValues(sql<{ phone: string }[]>`
    with recursive pattern as materialized (
      select search_text(${words}) as words,
        '%' || regexp_replace(in_ascii(search_text(${words})), '([\\\\%_])', '\\\\\\1', 'g') || '%' as ascii
    ),
    searched (next_slice, phones, found) as (
      select max(id), '{}'::text[], 0 from contact_slices where company_id = ${companyId}
      union all
      select
        (select max(id) from contact_slices where company_id = ${companyId} and id < next_slice),
        matching.phones,
        found + cardinality(matching.phones)
      from searched cross join lateral (
        select coalesce(array_agg(phone), '{}') as phones from (
          select phone from contacts
          where slice = next_slice and has_activity
            and in_ascii(searched_text) like (select ascii from pattern)
            and strpos(searched_text, (select words from pattern)) > 0
            and ${condition}
          limit ${limit}
        ) as few
      ) as matching
      where next_slice is not null and found < ${limit}
    )
    select phone from searched cross join unnest(phones) as phone limit ${limit}`)
}
