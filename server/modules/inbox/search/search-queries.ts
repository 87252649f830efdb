import type { Queryable } from '../../../platform/db/database.ts'

/** External numbers that have these digits in a row somewhere; undefined if they are more than `limit`. */
export async function selectPhonesWith(
  sql: Queryable,
  companyId: string,
  digits: string,
  limit: number,
): Promise<string[] | undefined> {
  // In ASCII, the colon follows the nine.
  const [row] = await sql<{ phones: string[] | null }[]>`
    select case when count(*) <= ${limit} then coalesce(array_agg(distinct phone_number), '{}') end as phones from (
      select phone_number from external_number_ends
      where company_id = ${companyId} and digits >= ${digits} and digits < ${`${digits}:`}
      limit ${limit + 1}
    ) as found`
  return row!.phones ?? undefined
}
