import { expect, test } from 'vitest'

import { countReads } from '../../../../test/harness/counted-reads.ts'
import { harness } from '../../../../test/harness/index.ts'
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

  const { db: busy, readWhenPlanned } = countReads(db, 'inbox_threads', 'entries')
  const view = { companyId, country: 'DK', withTexts: true }
  const search = async () => (await findPhones(busy.sql, view, 'giraffe')).phones
  expect(await search()).toHaveLength(FOUND)
  expect(await readWhenPlanned(search)).toBeLessThanOrEqual(FOUND)
})
