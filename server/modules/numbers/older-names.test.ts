import { beforeAll, beforeEach, expect, test } from 'vitest'

import { newNumber } from '../../../test/harness/calls/telephony.ts'
import { type Harness, harness, type TestCompany } from '../../../test/harness/index.ts'
import { encodeId } from '../../platform/ids.ts'

let bellhop: Harness
let company: TestCompany
let id: string
let older: string
let current: string

beforeAll(async () => {
  bellhop = await harness()
})

beforeEach(async () => {
  company = await bellhop.newCompany({ messaging: true })
  id = encodeId('num', await newNumber(company))
  older = `/main_numbers/${id}`
  current = `/business_numbers/${id}`
})

const read = async (path: string) => (await company.api.get(path)).body

/** The older form of a business number. */
function inOlderNames({ outside_business_hours_config, business_hours, ...rest }: any) {
  const { wait_audio, ...older } = rest
  expect(wait_audio).toBe('ringtone')
  return {
    ...older,
    outside_opening_hours_config: outside_business_hours_config,
    opening_hours: business_hours,
  }
}

const message = { type: 'RejectConfig', message: 'We are closed.' }

test('the older path lists and reads the same numbers, with the older field names and no wait_audio', async () => {
  expect(await read('/main_numbers')).toEqual(await read('/business_numbers'))
  const number = await read(older)
  expect(number).toEqual(inOlderNames(await read(current)))
  expect(number.opening_hours).toHaveLength(7)
  expect(number.outside_opening_hours_config.type).toBe('VoicemailConfig')
})

test('every change under the older path returns the older names and is visible under both', async () => {
  const changes = [
    await company.api.patch(older, { name: 'Support' }),
    await company.api.put(`${older}/incoming_call_config`, message),
    await company.api.put(`${older}/outside_opening_hours_config`, message),
    await company.api.put(`${older}/no_answer_config`, message),
  ]
  expect(changes.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  for (const { body } of changes) expect(Object.keys(body)).toEqual(Object.keys(await read(older)))
  expect(changes.at(-1)!.body).toEqual(inOlderNames(await read(current)))
  expect(await read(current)).toMatchObject({
    name: 'Support',
    incoming_call_config: message,
    outside_business_hours_config: message,
    no_answer_config: message,
  })
})

test('wait_audio cannot be changed under the older path, which had no such field', async () => {
  for (const wait_audio of ['music', 'silence', null]) {
    const { status, body } = await company.api.patch(older, { name: 'Support', wait_audio })
    expect(status).toBe(200)
    expect(body).not.toHaveProperty('wait_audio')
  }
  expect(await read(current)).toMatchObject({ name: 'Support', wait_audio: 'ringtone' })
})

test('the older outside-hours endpoint accepts opening_hours and ignores business_hours', async () => {
  const { body } = await company.api.put(`${older}/outside_opening_hours_config`, {
    ...message,
    opening_hours: [{ day_of_week: 5, open: true, opening_at: '10:00', closing_at: '24:00' }],
    business_hours: [{ day_of_week: 0, open: false }],
  })
  const saturday = {
    day_of_week: 5,
    day_name: 'Saturday',
    open: true,
    opening_at: '10:00',
    closing_at: '24:00',
  }
  expect(body.opening_hours[5]).toEqual(saturday)
  expect(body.opening_hours[0].open).toBe(true)
  expect((await read(current)).business_hours[5]).toEqual(saturday)
})

test('refused hours have the name that the client used, and nothing changes', async () => {
  const before = await read(older)
  for (const opening_hours of [
    [{ day_of_week: 0, open: true, opening_at: '16:00' }],
    [0, 0].map((day_of_week) => ({ day_of_week, open: false })),
  ]) {
    const body = { ...message, opening_hours }
    expect(await company.api.put(`${older}/outside_opening_hours_config`, body)).toMatchObject({
      status: 422,
      body: { errors: { opening_hours: [expect.any(String)] } },
    })
  }
  expect(await read(older)).toEqual(before)
})

test.each([
  [10, 15],
  [20, 30],
  [30, 30],
  [40, 60],
  [50, 60],
  [60, 60],
])(
  'the older timeout of %i seconds is stored as %i, which can be written back under both names',
  async (timeout_secs, stored) => {
    const { status, body } = await company.api.put(`${older}/no_answer_config`, { ...message, timeout_secs })
    expect([status, body.no_answer_timeout_secs]).toEqual([200, stored])
    expect((await read(current)).no_answer_timeout_secs).toBe(stored)
    for (const path of [older, current]) {
      const again = await company.api.put(`${path}/no_answer_config`, { ...message, timeout_secs: stored })
      expect([again.status, again.body.no_answer_timeout_secs]).toEqual([200, stored])
    }
  },
)

test('a longer timeout that was set under the current name can be written back under the older one', async () => {
  await company.api.put(`${current}/no_answer_config`, { ...message, timeout_secs: 600 })
  const { no_answer_timeout_secs: timeout_secs } = await read(older)
  const { status, body } = await company.api.put(`${older}/no_answer_config`, { ...message, timeout_secs })
  expect([status, body.no_answer_timeout_secs]).toEqual([200, 600])
})

test.each([5, 25, 70, '10'])('the timeout %j is refused under the older name', async (timeout_secs) => {
  const before = await read(older)
  expect(await company.api.put(`${older}/no_answer_config`, { ...message, timeout_secs })).toMatchObject({
    status: 422,
    body: { errors: { timeout_secs: [expect.any(String)] } },
  })
  expect(await read(older)).toEqual(before)
})

test.each([null, 0, ''])('the timeout %j switches the timer off under the older name too', async (off) => {
  await company.api.put(`${older}/no_answer_config`, { ...message, timeout_secs: 20 })
  const { body } = await company.api.put(`${older}/no_answer_config`, { ...message, timeout_secs: off })
  expect(body.no_answer_timeout_secs).toBeNull()
})

test('the slot clears under its older name', async () => {
  const { body } = await company.api.put(`${older}/outside_opening_hours_config`, { type: null })
  expect(body.outside_opening_hours_config).toBeNull()
  expect((await read(current)).outside_business_hours_config).toBeNull()
})

test('texting settings are the same ones under both names', async () => {
  const auto_reply_text = 'We are closed.'
  await company.api.patch(`${older}/texting_settings`, { auto_reply_text })
  expect(await read(`${current}/texting_settings`)).toMatchObject({ auto_reply_text })
  expect(await read(`${older}/texting_settings`)).toMatchObject({ auto_reply_text })
})

test('a text is sent under the older name too, with the same keys', async () => {
  const text = { to: '+4520112233', text: 'Hello', idempotency_key: 'k' }
  const sent = await company.api.post(`${older}/messages`, text)
  expect(sent).toMatchObject({ status: 201, body: { status: 'accepted', business_number_id: id } })
  const again = await company.api.post(`${current}/messages`, text)
  expect([again.status, again.body.id]).toEqual([200, sent.body.id])
})

test('each name of the outside-hours slot exists only under its own path', async () => {
  expect((await company.api.put(`${older}/outside_business_hours_config`, message)).status).toBe(404)
  expect((await company.api.put(`${current}/outside_opening_hours_config`, message)).status).toBe(404)
})

test('a number of another company is 404 under the older path', async () => {
  const { api } = await bellhop.newCompany()
  expect((await api.get(older)).status).toBe(404)
  expect((await api.patch(older, { name: 'Mine' })).status).toBe(404)
})
