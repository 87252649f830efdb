import { expect, test } from 'vitest'

import { afterFile } from '../../../../test/harness/after-file.ts'
import { newNumber } from '../../../../test/harness/calls/telephony.ts'
import { harness } from '../../../../test/harness/index.ts'
import { openDatabase } from '../../../platform/db/database.ts'
import { selectCalls } from '../record/queries.ts'
import { findByKeywords } from './keyword-queries.ts'

const OTHERS = { companies: 200, callsOfEach: 10 }
const CALLS = 2_000
const FOUND = 10

test('a search reads the calls it finds, also in a large company among many small ones', async () => {
  const { db, newCompany } = await harness()
  const company = await newCompany()
  const { companyId } = company
  const numberId = await newNumber(company)
  await db.sql`
    with founded as (
      insert into companies (name, country) select 'Small', 'DK' from generate_series(1, ${OTHERS.companies}) returning id
    ), numbered as (
      insert into business_numbers (company_id, name, number, timezone, language, incoming_call_config, business_hours)
      select id, 'Line', '+4588' || row_number() over (), 'Europe/Copenhagen', 'en', '{}', '[]' from founded
      returning company_id, id
    )
    insert into calls (company_id, business_number_id, direction, remote_number, state, in_inbox)
    select company_id, id, 'inbound', '+4520000000', 'ended', false
    from numbered, generate_series(1, ${OTHERS.callsOfEach})`
  await db.sql`
    insert into calls (company_id, business_number_id, direction, remote_number, state, in_inbox, transcription)
    select ${companyId}, ${numberId}, 'inbound', '+4520000000', 'ended', false,
      case when n % ${CALLS / FOUND} = 0 then 'A giraffe' end
    from generate_series(1, ${CALLS}) as n`
  await db.sql.unsafe('vacuum analyze')

  // One connection, which keeps its plans.
  const busy = openDatabase(db.address, { poolSize: 1 })
  afterFile(() => busy.close())
  const rowsRead = async () => {
    await busy.sql`select pg_stat_force_next_flush()`
    await busy.sql`select`
    const [row] = await db.sql<{ rows: number }[]>`
      select (seq_tup_read + coalesce(idx_tup_fetch, 0))::int as rows from pg_stat_user_tables where relname = 'calls'`
    return row!.rows
  }
  const search = async () => {
    const found = await findByKeywords(busy.sql, companyId, {}, 'giraffe')
    return selectCalls(
      busy.sql,
      companyId,
      found.map(({ id }) => id),
    )
  }
  // PostgreSQL settles on a plan after five times.
  for (let round = 0; round < 6; round++) expect(await search()).toHaveLength(FOUND)
  const before = await rowsRead()
  await search()
  expect((await rowsRead()) - before).toBeLessThan(5 * FOUND)
})
