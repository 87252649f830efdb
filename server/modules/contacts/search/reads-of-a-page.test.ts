import { expect, test } from 'vitest'

import { countReads } from '../../../../test/harness/counted-reads.ts'
import { harness } from '../../../../test/harness/index.ts'
import { selectAllContacts, selectManyContacts } from './queries.ts'

const OTHERS = { companies: 200, contactsOfEach: 5 }
const CONTACTS = 1_500
const PAGE = 20

test('a page of contacts reads those of the page, also in a large company among many small ones', async () => {
  const { db, newCompany } = await harness()
  const { companyId } = await newCompany()
  await db.sql`
    with founded as (
      insert into companies (name, country) select 'Small', 'DK' from generate_series(1, ${OTHERS.companies}) returning id
    )
    insert into contacts (company_id, phone, phone_formatted, name)
    select id, '+45' || 20000000 + n, '', 'Person ' || n from founded, generate_series(1, ${OTHERS.contactsOfEach}) as n`
  await db.sql`
    insert into contacts (company_id, phone, phone_formatted, name)
    select ${companyId}, '+45' || 20000000 + n, '', 'Person ' || n from generate_series(1, ${CONTACTS}) as n`
  await db.sql.unsafe('vacuum analyze')

  const { db: busy, readWhenPlanned } = countReads(db, 'contacts')
  const part = { sort: 'name', after: undefined, limit: PAGE } as const
  const pages = {
    all: () => selectAllContacts(busy.sql, companyId, part),
    notCounted: () => selectAllContacts(busy.sql, companyId, part, CONTACTS - 1),
    many: () => selectManyContacts(busy.sql, companyId, [['person']], part),
  }
  for (const page of Object.values(pages)) {
    expect(await page()).toHaveLength(PAGE)
    expect(await readWhenPlanned(page)).toBeLessThan(3 * PAGE)
  }
  expect((await pages.all())[0]!.total).toBe(CONTACTS)
  expect((await pages.notCounted())[0]!.total).toBeNull()
})
