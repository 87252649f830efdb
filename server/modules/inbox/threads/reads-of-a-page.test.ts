import { expect, test } from 'vitest'

import { newNumber } from '../../../../test/harness/calls/telephony.ts'
import { countReads } from '../../../../test/harness/counted-reads.ts'
import { harness } from '../../../../test/harness/index.ts'
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

  const { db: busy, readWhenPlanned } = countReads(db, 'inbox_threads')
  const search = () => {
    const view = { companyId, country: 'DK', withTexts: true }
    return selectThreads(busy.sql, view, { unseen: false, match: { part: '4520', phones: [] } }, PAGE)
  }
  const found = await search()
  expect(found).toHaveLength(PAGE)
  expect(found[0]!.phone_number).toBe(`+45${20_000_000 + THREADS}`)
  // The longest page is read whichever one is asked for.
  expect(await readWhenPlanned(search)).toBeLessThan(THREADS / 5)
})
