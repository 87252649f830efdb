import { beforeAll, beforeEach, describe, expect, test } from 'vitest'

import { newCall, newNumber } from '../../../../test/harness/calls/telephony.ts'
import { type Harness, harness, type TestCompany } from '../../../../test/harness/index.ts'
import { decodeId, encodeId } from '../../../platform/ids.ts'

let bellhop: Harness
let company: TestCompany
let numberId: string

beforeAll(async () => {
  bellhop = await harness({ EMBEDDINGS: 'off' })
})

beforeEach(async () => {
  company = await bellhop.newCompany()
  numberId = await newNumber(company, { language: 'en', mute: true })
})

async function found(query: string): Promise<string[]> {
  const { body } = await company.api.get(`/calls?${new URLSearchParams({ query }).toString()}`)
  return (body.calls as { id: string }[]).map(({ id }) => decodeId('cal', id)!)
}

const setLanguage = (language: string) =>
  company.api.patch(`/business_numbers/${encodeId('num', numberId)}`, { language })

const said = (transcription: string, values: { direction?: string; business_number_id?: string } = {}) =>
  newCall(company, { business_number_id: numberId, transcription, ...values })

/** Calls without a transcription, as most are. */
async function silentCalls(direction: string, count: number) {
  await company.db.sql`
    insert into calls (company_id, business_number_id, direction, remote_number, state)
    select ${company.companyId}, ${numberId}, ${direction}, '+4520112233', 'ended'
    from generate_series(1, ${count})`
}

const jobsWaiting = async () =>
  (await bellhop.db.sql`select 1 from graphile_worker.jobs where task_identifier = 'calls.index'`).length

describe('when the language of a number changes', () => {
  test('its earlier calls are found by other forms of a word in the new language', async () => {
    const call = await said('Jeg vil gerne hente cykler på fredag.')
    expect(await found('cyklerne')).toEqual([])
    expect((await setLanguage('da')).status).toBe(200)
    await bellhop.drainJobs()
    expect(await found('cyklerne')).toEqual([call])
  })

  test('they are no longer found by forms of the old one, but still by the exact words', async () => {
    const call = await said('They wait for the bicycle.')
    expect(await found('waiting')).toEqual([call])
    await setLanguage('da')
    await bellhop.drainJobs()
    expect(await found('waiting')).toEqual([])
    expect(await found('wait')).toEqual([call])
  })

  test.each(['inbound', 'outbound'])(
    'every %s call is indexed again, however many precede it',
    async (direction) => {
      const oldest = await said('Hent cyklerne.', { direction })
      await silentCalls(direction, 399)
      await silentCalls(direction === 'inbound' ? 'outbound' : 'inbound', 1)
      const newest = await said('Hent cyklerne igen.', { direction })
      await setLanguage('da')
      await bellhop.drainJobs()
      expect((await found('cykler')).toSorted()).toEqual([oldest, newest])
      expect(await jobsWaiting()).toBe(0)
    },
  )

  test('the calls of other numbers stay unchanged', async () => {
    const elsewhere = await newNumber(company, { language: 'en', mute: true })
    const call = await said('The bicycles are waiting.', { business_number_id: elsewhere })
    await setLanguage('da')
    await bellhop.drainJobs()
    expect(await found('wait')).toEqual([call])
  })
})

test('a change of another field, or to the same language, enqueues no new index', async () => {
  const path = `/business_numbers/${encodeId('num', numberId)}`
  for (const change of [{ name: 'Renamed' }, { language: 'en' }, { language: 'xx' }])
    await company.api.patch(path, change)
  expect(await jobsWaiting()).toBe(0)
  await setLanguage('da')
  expect(await jobsWaiting()).toBeGreaterThan(0)
})
