import { expect, test } from 'vitest'

import { afterFile } from '../../../../test/harness/after-file.ts'
import { harness } from '../../../../test/harness/index.ts'
import { openDatabase } from '../../../platform/db/database.ts'
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

  // One connection, which keeps its plans.
  const busy = openDatabase(db.address, { poolSize: 1 })
  afterFile(() => busy.close())
  const rowsRead = async () => {
    await busy.sql`select pg_stat_force_next_flush()`
    await busy.sql`select`
    const [row] = await db.sql<{ rows: number }[]>`
      select (seq_tup_read + coalesce(idx_tup_fetch, 0))::int as rows from pg_stat_user_tables where relname = 'contacts'`
    return row!.rows
  }
  const part = { sort: 'name', after: undefined, limit: PAGE } as const
  const pages = {
    all: () => selectAllContacts(busy.sql, companyId, part),
    notCounted: () => selectAllContacts(busy.sql, companyId, part, CONTACTS - 1),
    many: () => selectManyContacts(busy.sql, companyId, [['person']], part),
  }
  for (const page of Object.values(pages)) {
    // PostgreSQL settles on a plan after five times.
    for (let round = 0; round < 6; round++) expect(await page()).toHaveLength(PAGE)
    const before = await rowsRead()
    await page()
    expect((await rowsRead()) - before).toBeLessThan(3 * PAGE)
  }
  expect((await pages.all())[0]!.total).toBe(CONTACTS)
  expect((await pages.notCounted())[0]!.total).toBeNull()
})
