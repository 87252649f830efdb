import { expect, test } from 'vitest'

import { newNumber } from '../../../../test/harness/calls/telephony.ts'
import { countReads } from '../../../../test/harness/counted-reads.ts'
import { harness } from '../../../../test/harness/index.ts'
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

  const { db: busy, readWhenPlanned } = countReads(db, 'calls')
  const search = async () => {
    const found = await findByKeywords(busy.sql, companyId, {}, 'giraffe')
    return selectCalls(
      busy.sql,
      companyId,
      found.map(({ id }) => id),
    )
  }
  expect(await search()).toHaveLength(FOUND)
  expect(await readWhenPlanned(search)).toBeLessThan(5 * FOUND)
})
