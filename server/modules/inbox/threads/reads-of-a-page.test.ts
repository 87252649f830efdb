import { expect, test } from 'vitest'

import { afterFile } from '../../../../test/harness/after-file.ts'
import { newNumber } from '../../../../test/harness/calls/telephony.ts'
import { harness } from '../../../../test/harness/index.ts'
import { openDatabase } from '../../../platform/db/database.ts'
import { selectThreads } from './thread-queries.ts'

const THREADS = 1_500
const PAGE = 10

test('a search for a part of many numbers reads the newest threads, not all of them', async () => {
  const { db, newCompany } = await harness()
  const company = await newCompany()
  const { companyId } = company
  const numberId = await newNumber(company)
  await db.sql`
    insert into calls (company_id, business_number_id, direction, remote_number, state)
    select ${companyId}, ${numberId}, 'inbound', '+45' || 20000000 + n, 'ended' from generate_series(1, ${THREADS}) as n`
  await db.sql.unsafe('vacuum analyze')

  // One connection, which keeps its plans.
  const busy = openDatabase(db.address, { poolSize: 1 })
  afterFile(() => busy.close())
  const rowsRead = async () => {
    await busy.sql`select pg_stat_force_next_flush()`
    await busy.sql`select`
    const [row] = await db.sql<{ rows: number }[]>`
      select (seq_tup_read + coalesce(idx_tup_fetch, 0))::int as rows
      from pg_stat_user_tables where relname = 'inbox_threads'`
    return row!.rows
  }
  const search = () => {
    const view = { companyId, country: 'DK', withTexts: true }
    return selectThreads(busy.sql, view, { unseen: false, match: { part: '4520', phones: [] } }, PAGE)
  }
  // PostgreSQL settles on a plan after five times.
  for (let round = 0; round < 6; round++) expect(await search()).toHaveLength(PAGE)
  const before = await rowsRead()
  const [newest] = await search()
  expect(newest!.phone_number).toBe(`+45${20_000_000 + THREADS}`)
  // The longest page is read whichever one is asked for.
  expect((await rowsRead()) - before).toBeLessThan(THREADS / 5)
})
