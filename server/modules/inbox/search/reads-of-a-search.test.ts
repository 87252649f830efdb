import { expect, test } from 'vitest'

import { afterFile } from '../../../../test/harness/after-file.ts'
import { harness } from '../../../../test/harness/index.ts'
import { openDatabase } from '../../../platform/db/database.ts'
import { findPhones } from './search.ts'

const OTHERS = { companies: 400, threadsOfEach: 2 }
const THREADS = 4_000
const FOUND = 10

test('a search for a name looks up the threads of those it finds, also in a large company among many small ones', async () => {
  const { db, newCompany } = await harness()
  const { companyId } = await newCompany()
  const addThreads = (company: string, count: number) => db.sql`
    insert into inbox_threads (company_id, phone_number, with_texts, scope_id, last_item_id, last_at, unseen_count)
    select ${company}, '+45' || 20000000 + n, with_texts, ${company}, new_id(), now(), 0
    from generate_series(1, ${count}) as n, (values (true), (false)) as views (with_texts)`
  const others = await db.sql<{ id: string }[]>`
    insert into companies (name, country) select 'Small', 'DK' from generate_series(1, ${OTHERS.companies}) returning id`
  for (const { id } of others) await addThreads(id, OTHERS.threadsOfEach)
  await addThreads(companyId, THREADS)
  await db.sql`
    insert into contacts (company_id, phone, phone_formatted, name)
    select ${companyId}, '+45' || 20000000 + n, '+45', 'Giraffe ' || n
    from generate_series(${THREADS - FOUND + 1}::int, ${THREADS}::int) as n`
  await db.sql`update contacts set has_activity = true where company_id = ${companyId}`
  await db.sql.unsafe('vacuum analyze')

  // One connection, which keeps its plans.
  const busy = openDatabase(db.address, { poolSize: 1 })
  afterFile(() => busy.close())
  const entriesRead = async () => {
    await busy.sql`select pg_stat_force_next_flush()`
    await busy.sql`select`
    const [row] = await db.sql<{ entries: number }[]>`
      select sum(idx_tup_read)::int as entries from pg_stat_user_indexes where relname = 'inbox_threads'`
    return row!.entries
  }
  const view = { companyId, country: 'DK', withTexts: true }
  const search = async () => (await findPhones(busy.sql, view, 'giraffe')).phones
  // PostgreSQL settles on a plan after five times.
  for (let round = 0; round < 6; round++) expect(await search()).toHaveLength(FOUND)
  const before = await entriesRead()
  await search()
  expect((await entriesRead()) - before).toBeLessThanOrEqual(FOUND)
})
