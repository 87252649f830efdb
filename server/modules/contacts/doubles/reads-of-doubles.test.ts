import { expect, test } from 'vitest'

import { countReads } from '../../../../test/harness/counted-reads.ts'
import { harness } from '../../../../test/harness/index.ts'
import { selectDoubles } from './queries.ts'

const CONTACTS = 1_500
const GROUPS = 3

test('doubles are found without reading the other contacts', async () => {
  const { db, newCompany } = await harness()
  const { companyId } = await newCompany()
  await db.sql`
    insert into contacts (company_id, phone, phone_formatted, name, email)
    select ${companyId}, '+45' || 20000000 + n, '', 'Person ' || n, n || '@example.com'
    from generate_series(1, ${CONTACTS}) as n`
  await db.sql`
    insert into contacts (company_id, phone, phone_formatted, name)
    select ${companyId}, '+45' || 30000000 + n, '', 'Person ' || n from generate_series(1, ${GROUPS}) as n`
  await db.sql.unsafe('vacuum analyze')

  const { db: busy, readWhenPlanned } = countReads(db, 'contacts')
  const find = () => selectDoubles(busy.sql, companyId, 50)
  expect(await find()).toHaveLength(GROUPS)
  expect(await readWhenPlanned(find)).toBeLessThanOrEqual(2 * GROUPS)
})
