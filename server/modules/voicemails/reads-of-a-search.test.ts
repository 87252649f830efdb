import { expect, test } from 'vitest'

import { newNumber } from '../../../test/harness/calls/telephony.ts'
import { countReads } from '../../../test/harness/counted-reads.ts'
import { harness } from '../../../test/harness/index.ts'
import { selectVoicemailsWith } from './queries.ts'

const VOICEMAILS = 6_000
const PAGE = 10

test('a search for a word that all voicemails have reads the newest, not all that it would look at', async () => {
  const { db, newCompany } = await harness()
  const company = await newCompany()
  const { companyId } = company
  const numberId = await newNumber(company)
  await db.sql`
    insert into voicemails (company_id, business_number_id, from_number, transcription)
    select ${companyId}, ${numberId}, '+45' || 20000000 + n, 'Please call back' from generate_series(1, ${VOICEMAILS}) as n`
  await db.sql.unsafe('vacuum analyze')
  const { db: busy, readWhenPlanned } = countReads(db, 'voicemails', 'entries')
  const search = () => selectVoicemailsWith(busy.sql, companyId, ['call'], PAGE)
  const found = await search()
  expect(found.map(({ from }) => from)).toEqual(
    Array.from({ length: PAGE }, (_, index) => `+45${20_000_000 + VOICEMAILS - index}`),
  )
  expect(await readWhenPlanned(search)).toBeLessThan(3 * PAGE)
})
