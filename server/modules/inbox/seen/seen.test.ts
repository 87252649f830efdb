import { describe, expect, test } from 'vitest'

import { newCall, newNumber, newVoicemail } from '../../../../test/harness/calls/telephony.ts'
import { allRows } from '../../../../test/harness/routes/rows.ts'
import { inboxFixture } from '../../../../test/harness/texts/inbox-fixture.ts'
import { newText } from '../../../../test/harness/texts/texts.ts'
import { encodeId } from '../../../platform/ids.ts'
import { setMessaging } from '../../company/index.ts'

const fixture = inboxFixture()

const ANNA = '+4520112233'
const BO = '+4520112244'

const call = (remote_number = ANNA, values: Parameters<typeof newCall>[1] = {}) =>
  newCall(fixture.company, { business_number_id: fixture.numberId, remote_number, ...values })
const text = (remote_number = ANNA, values: Parameters<typeof newText>[1] = {}) =>
  newText(fixture.company, { business_number_id: fixture.numberId, remote_number, ...values })
const voicemail = (from_number = ANNA, values: Parameters<typeof newVoicemail>[1] = {}) =>
  newVoicemail(fixture.company, { business_number_id: fixture.numberId, from_number, ...values })

const observe = async (phone = ANNA, { api } = fixture.company): Promise<string> =>
  (await api.get(`/inbox/${phone}/activity`)).body.observed_at

const items = async (phone = ANNA): Promise<any[]> =>
  (await fixture.company.api.get(`/inbox/${phone}/activity`)).body.items

async function mark(through: string, more: object = {}, phone = ANNA): Promise<void> {
  const { status, body } = await fixture.company.api.post(`/inbox/${phone}/seen`, { through, ...more })
  expect(body).toBeUndefined()
  expect(status).toBe(204)
}

/** Unseen counts by phone number. */
async function unseen(filter = ''): Promise<Record<string, number>> {
  const { body } = await fixture.company.api.get(`/inbox${filter}`)
  const threads = body.threads as { phone_number: string; unseen_count: number }[]
  return Object.fromEntries(threads.map((thread) => [thread.phone_number, thread.unseen_count]))
}

const messaging = (on: boolean) =>
  fixture.bellhop.db.tx((tx) => setMessaging(tx, fixture.company.companyId, on))

/** Runs between storing a call and committing it. */
async function whileStoring<T>(run: () => Promise<T>): Promise<T> {
  return fixture.bellhop.db.tx(async (tx) => {
    await tx`
      insert into calls (company_id, business_number_id, direction, remote_number, state)
      values (${fixture.company.companyId}, ${fixture.numberId}, 'inbound', ${ANNA}, 'initiated')`
    return run()
  })
}

describe('marking a thread as seen', () => {
  test('covers every type up to the given time, and nothing later', async () => {
    await call()
    await text()
    await voicemail()
    const through = await observe()
    await text()
    await mark(through)
    expect(await unseen()).toEqual({ [ANNA]: 1 })
    expect((await items()).map((item) => item.seen_at !== null)).toEqual([false, true, true, true])
  })

  test('covers items on pages that were not read, but not those that arrived since', async () => {
    for (let i = 0; i < 5; i++) await call()
    const first = (await fixture.company.api.get(`/inbox/${ANNA}/activity?limit=1`)).body
    await voicemail()
    await mark(first.observed_at)
    expect(await unseen()).toEqual({ [ANNA]: 1 })
  })

  test('leaves a text unseen that arrived later, although its provider received it earlier', async () => {
    await text()
    const through = await observe()
    const late = await text()
    await fixture.bellhop.db
      .sql`update messages set received_at = now() - interval '1 day' where id = ${late}`
    await mark(through)
    expect((await items()).map((item) => item.seen_at === null)).toEqual([true, false])
  })

  test('leaves items unseen that were being stored while the thread was read', async () => {
    await text()
    const through = await whileStoring(() => observe())
    await mark(through)
    expect(await unseen()).toEqual({ [ANNA]: 1 })
    await mark(await observe())
    expect(await unseen()).toEqual({ [ANNA]: 0 })
  })

  test('leaves the first item of a number unseen that was being stored while the number was unknown', async () => {
    const through = await whileStoring(() => observe())
    await mark(through)
    expect(await unseen()).toEqual({ [ANNA]: 1 })
  })

  test('is not confused by a writer that was rolled back', async () => {
    await text()
    const back = new Error('rolled back')
    await expect(whileStoring(() => Promise.reject(back))).rejects.toBe(back)
    await mark(await observe())
    expect(await unseen()).toEqual({ [ANNA]: 0 })
  })

  test('is for the whole team', async () => {
    await call()
    const { body } = await fixture.company.api.post('/employees', {
      name: 'Bo',
      email: `${fixture.numberId}@example.com`,
    })
    expect(body.id).toBeDefined()
    const [bo] = await fixture.bellhop.db
      .sql`select id from employees where email = ${`${fixture.numberId}@example.com`}`
    const coworker = await fixture.bellhop.keyFor(bo!.id)
    await mark(await observe())
    expect((await coworker.api.get('/inbox')).body.threads[0].unseen_count).toBe(0)
    expect((await coworker.api.get('/inbox?unseen=true')).body.threads).toEqual([])
  })

  test('a second time changes nothing', async () => {
    await call()
    await text()
    const through = await observe()
    await mark(through)
    const before = await allRows(fixture.bellhop.db.sql)
    await mark(through)
    expect(await allRows(fixture.bellhop.db.sql)).toEqual(before)
  })

  test('of one business number leaves the others', async () => {
    const support = await newNumber(fixture.company)
    await call()
    await newCall(fixture.company, { business_number_id: support, remote_number: ANNA })
    await mark(await observe(), { business_number_id: encodeId('num', support) })
    expect(await unseen()).toEqual({ [ANNA]: 1 })
    expect(await unseen(`?business_number_id=${encodeId('num', support)}`)).toEqual({ [ANNA]: 0 })
    expect(await unseen(`?business_number_id=${encodeId('num', fixture.numberId)}`)).toEqual({ [ANNA]: 1 })
  })

  test('without a business number, or with null, applies to all', async () => {
    await call()
    await newCall(fixture.company, {
      business_number_id: await newNumber(fixture.company),
      remote_number: ANNA,
    })
    await mark(await observe(), { business_number_id: null })
    expect(await unseen()).toEqual({ [ANNA]: 0 })
  })

  test('is for the phone number in the path, whatever the body names', async () => {
    await call(ANNA)
    await call(BO)
    await mark(await observe(BO), { phone_number: BO }, ANNA)
    expect(await unseen()).toEqual({ [ANNA]: 0, [BO]: 1 })
  })

  test('leaves other threads and other companies alone', async () => {
    const other = await fixture.bellhop.newCompany()
    await newCall(other, { remote_number: ANNA })
    await call(ANNA)
    await call(BO)
    await mark(await observe())
    expect(await unseen()).toEqual({ [ANNA]: 0, [BO]: 1 })
    expect((await other.api.get('/inbox')).body.threads[0].unseen_count).toBe(1)
  })

  test('does not make a voicemail listened to', async () => {
    await voicemail()
    await mark(await observe())
    expect(await items()).toMatchObject([{ seen_at: expect.any(String), listened: false }])
  })

  test('is visible in the text itself', async () => {
    const id = encodeId('msg', await text())
    expect((await fixture.company.api.get(`/messages/${id}`)).body.seen_at).toBeNull()
    await mark(await observe())
    const { seen_at } = (await fixture.company.api.get(`/messages/${id}`)).body
    expect(seen_at).toMatch(/\.\d{6}Z$/)
    expect((await items())[0].seen_at).toBe(seen_at)
  })

  test('changes neither texts nor their count while the company has no messaging', async () => {
    await text()
    await call()
    await messaging(false)
    await mark(await observe())
    expect(await unseen()).toEqual({ [ANNA]: 0 })
    await messaging(true)
    expect(await unseen()).toEqual({ [ANNA]: 1 })
  })

  test('of a call leaves a voicemail unseen that replaces it later', async () => {
    const call_id = await call()
    await mark(await observe())
    await voicemail(ANNA, { call_id })
    expect(await unseen()).toEqual({ [ANNA]: 1 })
  })

  test('of a voicemail also marks the call behind it', async () => {
    const call_id = await call()
    const id = await voicemail(ANNA, { call_id })
    await mark(await observe())
    await fixture.company.api.delete(`/voicemails/${encodeId('voi', id)}`)
    expect(await unseen()).toEqual({ [ANNA]: 0 })
  })

  test('of an unknown number is not an error', async () => {
    await mark(await observe('+4599887766'), {}, '+4599887766')
  })

  test.each([
    ['a time in the future', { through: new Date(Date.now() + 3_600_000).toISOString() }],
    ['a time far in the future', { through: '9999-12-31T23:59:59-12:00' }],
    ['no time', {}],
    ['null', { through: null }],
    ['a date', { through: '2026-01-01' }],
    ['an invalid day', { through: '2026-02-30T10:00:00Z' }],
    ['a number', { through: 1_700_000_000 }],
  ])('is refused for %s', async (_, body) => {
    await call()
    const { status, body: refusal } = await fixture.company.api.post(`/inbox/${ANNA}/seen`, body)
    expect(status).toBe(422)
    expect(Object.keys(refusal.errors)).toEqual(['through'])
    expect(await unseen()).toEqual({ [ANNA]: 1 })
  })

  test.each([
    '0000-01-01T00:00:00Z',
    '2020-01-01T00:00:00+23:59',
    '2020-01-01T00:00:00.123456789Z',
    '2020-01-01T10:30Z',
    '2020-01-01T10:30:00+01',
    '2020-01-01T10:30:00-0130',
    '2020-01-01T10:30:00',
    '2020-01-01T10:30',
    '2020-01-01T10:30:00.123456',
  ])('accepts %s, and finds nothing that old', async (through) => {
    await call()
    await mark(through)
    expect(await unseen()).toEqual({ [ANNA]: 1 })
  })

  test('accepts the same time in another time zone', async () => {
    await call()
    const through = await observe()
    const inIndia = new Date(Date.parse(through) + 5.5 * 3_600_000).toISOString().slice(0, 19)
    await mark(`${inIndia}${through.slice(19, 26)}+05:30`)
    expect(await unseen()).toEqual({ [ANNA]: 0 })
  })

  test('reads a time without an offset as UTC', async () => {
    await call()
    await mark((await observe()).replace('Z', ''))
    expect(await unseen()).toEqual({ [ANNA]: 0 })
  })

  test('is 404 for a business number of another company, 422 for an invalid phone number', async () => {
    const through = await observe()
    const foreign = encodeId('num', await newNumber(await fixture.bellhop.newCompany()))
    for (const business_number_id of [foreign, 'num_x'])
      expect(
        (await fixture.company.api.post(`/inbox/${ANNA}/seen`, { through, business_number_id })).status,
      ).toBe(404)
    expect((await fixture.company.api.post('/inbox/anna/seen', { through })).status).toBe(422)
  })
})

const seen = async (body?: object) => {
  const answer = await fixture.company.api.post('/calls/seen', body)
  expect(answer).toMatchObject({ status: 204, body: undefined })
}

const post = async (body: object) => (await fixture.company.api.post('/calls/seen', body)).status

describe('POST /calls/seen', () => {
  test('marks calls and voicemails of everybody, and no texts', async () => {
    await call(ANNA)
    await voicemail(BO)
    await text(ANNA)
    await seen({})
    expect(await unseen()).toEqual({ [ANNA]: 1, [BO]: 0 })
  })

  test.each([[undefined], [{ phone_number: null, main_number_id: null, through: null }]])(
    'accepts an empty body: %o',
    async (body) => {
      await call()
      await seen(body)
      expect(await unseen()).toEqual({ [ANNA]: 0 })
    },
  )

  test('marks more threads than it takes at once', async () => {
    await fixture.bellhop.db.sql`
      insert into calls (company_id, business_number_id, direction, remote_number, state)
      select ${fixture.company.companyId}, ${fixture.numberId}, 'inbound', '+45' || 30000000 + n, 'ended' from generate_series(1, 450) as n`
    await seen({})
    expect(await unseen('?unseen=true')).toEqual({})
    expect((await fixture.company.api.get('/activity/unseen')).body.total).toBe(0)
  })

  test('marks those of a phone number, of a business number, up to a time', async () => {
    const support = await newNumber(fixture.company)
    const main_number_id = encodeId('num', support)
    for (const phone of [ANNA, BO]) {
      await call(phone)
      await newCall(fixture.company, { business_number_id: support, remote_number: phone })
    }
    await seen({ phone_number: '20112233', main_number_id })
    expect(await unseen()).toEqual({ [ANNA]: 1, [BO]: 2 })
    await seen({ main_number_id })
    expect(await unseen()).toEqual({ [ANNA]: 1, [BO]: 1 })
    const through = await observe(BO)
    await call(BO)
    await seen({ phone_number: BO, through })
    expect(await unseen()).toEqual({ [ANNA]: 1, [BO]: 1 })
    await seen({ phone_number: ANNA })
    expect(await unseen()).toEqual({ [ANNA]: 0, [BO]: 1 })
  })

  test('refuses a time in the future, an invalid phone number and a business number of another company', async () => {
    expect(await post({ through: new Date(Date.now() + 3_600_000).toISOString() })).toBe(422)
    expect(await post({ phone_number: 'anna' })).toBe(422)
    const foreign = encodeId('num', await newNumber(await fixture.bellhop.newCompany()))
    expect(await post({ main_number_id: foreign })).toBe(404)
  })
})

describe('GET /activity/unseen', () => {
  test('counts people, not items, for each business number, and their sum', async () => {
    const support = await newNumber(fixture.company, { name: 'Support' })
    await call(ANNA)
    await text(ANNA)
    await text(BO)
    await newVoicemail(fixture.company, { business_number_id: support, from_number: ANNA })
    await newCall(fixture.company, { business_number_id: support, remote_number: BO, direction: 'outbound' })
    const numbers = [
      { id: encodeId('num', fixture.numberId), name: 'Fixture', unseen_count: 2 },
      { id: encodeId('num', support), name: 'Support', unseen_count: 1 },
    ]
    expect((await fixture.company.api.get('/activity/unseen')).body).toEqual({
      total: 3,
      main_numbers: numbers,
    })
    await messaging(false)
    expect((await fixture.company.api.get('/activity/unseen')).body).toEqual({
      total: 2,
      main_numbers: [{ ...numbers[0], unseen_count: 1 }, numbers[1]],
    })
  })
})
