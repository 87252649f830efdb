import { beforeAll, beforeEach, describe, expect, test } from 'vitest'

import { newNumber } from '../../../../test/harness/calls/telephony.ts'
import { type Harness, harness, type TestCompany } from '../../../../test/harness/index.ts'
import { encodeId } from '../../../platform/ids.ts'

let bellhop: Harness
let company: TestCompany
let path: string

beforeAll(async () => {
  bellhop = await harness()
})

beforeEach(async () => {
  company = await bellhop.newCompany({ messaging: true })
  path = await settingsOf(company)
})

const settingsOf = async (owner: TestCompany) =>
  `/business_numbers/${encodeId('num', await newNumber(owner))}/texting_settings`

const read = async () => (await company.api.get(path)).body

async function savedRows(): Promise<number> {
  const rows = await bellhop.db.sql`select 1 from texting_settings where company_id = ${company.companyId}`
  return rows.length
}

async function expectRefused(body: unknown, field: string) {
  const before = await read()
  const answer = await company.api.patch(path, body)
  expect(answer.status).toBe(422)
  expect(answer.body).toMatchObject({ error: 'validation_failed', errors: { [field]: [expect.any(String)] } })
  expect(await read()).toEqual(before)
}

const DEFAULTS = { auto_reply_enabled: false, auto_reply_text: null, auto_reply_cooldown_minutes: 1_440 }

test('settings that were never saved have their defaults, and reading saves nothing', async () => {
  const { status, body } = await company.api.get(path)
  expect(status).toBe(200)
  expect(body).toEqual(DEFAULTS)
  expect(await savedRows()).toBe(0)
})

test('each setting can be changed on its own; the others stay', async () => {
  const expected: Record<string, unknown> = { ...DEFAULTS }
  for (const change of [
    { auto_reply_text: 'We are closed.' },
    { auto_reply_cooldown_minutes: 60 },
    { auto_reply_enabled: true },
    { auto_reply_text: 'Back on Monday.' },
    { auto_reply_enabled: false },
    { auto_reply_text: null },
  ]) {
    Object.assign(expected, change)
    const { status, body } = await company.api.patch(path, change)
    expect(status).toBe(200)
    expect(body).toEqual(expected)
    expect(await read()).toEqual(expected)
  }
  expect(await savedRows()).toBe(1)
})

test('null sets the default of each setting', async () => {
  const settings = { auto_reply_enabled: true, auto_reply_text: 'Hi', auto_reply_cooldown_minutes: 60 }
  await company.api.patch(path, settings)
  const cooldown = await company.api.patch(path, { auto_reply_cooldown_minutes: null })
  expect(cooldown.body).toEqual({ ...settings, auto_reply_cooldown_minutes: 1_440 })
  const all = { auto_reply_enabled: null, auto_reply_text: null, auto_reply_cooldown_minutes: null }
  expect((await company.api.patch(path, all)).body).toEqual(DEFAULTS)
})

test('each number has its own settings', async () => {
  const other = await settingsOf(company)
  await company.api.patch(path, { auto_reply_cooldown_minutes: 90 })
  expect((await company.api.get(other)).body).toEqual(DEFAULTS)
})

describe('the auto-reply', () => {
  test('cannot be switched on without a text, and then nothing is saved', async () => {
    await expectRefused({ auto_reply_enabled: true, auto_reply_cooldown_minutes: 90 }, 'auto_reply_text')
    await expectRefused({ auto_reply_enabled: true, auto_reply_text: ' \n ' }, 'auto_reply_text')
    await expectRefused({ auto_reply_enabled: true, auto_reply_text: null }, 'auto_reply_text')
    expect(await savedRows()).toBe(0)
  })

  test('can be switched on with a text in the same request', async () => {
    const { status, body } = await company.api.patch(path, {
      auto_reply_enabled: true,
      auto_reply_text: ' Hi ',
    })
    expect(status).toBe(200)
    expect(body).toEqual({ ...DEFAULTS, auto_reply_enabled: true, auto_reply_text: ' Hi ' })
  })

  test('cannot be switched on for a number that cannot send, and its text can be saved', async () => {
    const silent = encodeId('num', await newNumber(company, { sms: false }))
    path = `/business_numbers/${silent}/texting_settings`
    await expectRefused({ auto_reply_enabled: true, auto_reply_text: 'Hi' }, 'auto_reply_enabled')
    expect((await company.api.patch(path, { auto_reply_text: 'Hi' })).status).toBe(200)
  })

  test('keeps its text while it is on', async () => {
    await company.api.patch(path, { auto_reply_enabled: true, auto_reply_text: 'Hi' })
    await expectRefused({ auto_reply_text: null }, 'auto_reply_text')
    await expectRefused({ auto_reply_text: '  ' }, 'auto_reply_text')
    const off = { auto_reply_enabled: false, auto_reply_text: null }
    expect((await company.api.patch(path, off)).body).toEqual(DEFAULTS)
  })

  test('accepts a text of up to 10,000 characters', async () => {
    const text = '😀'.repeat(10_000)
    expect((await company.api.patch(path, { auto_reply_text: text })).body.auto_reply_text).toBe(text)
    await expectRefused({ auto_reply_text: `${text}x` }, 'auto_reply_text')
  })

  test.each([60, 43_200])('accepts a cooldown of %i minutes', async (minutes) => {
    const { body } = await company.api.patch(path, { auto_reply_cooldown_minutes: minutes })
    expect(body.auto_reply_cooldown_minutes).toBe(minutes)
  })

  test('refuses other cooldowns, and switches that are not booleans', async () => {
    for (const minutes of [59, 43_201, 0, -60, 60.5, '60']) {
      await expectRefused({ auto_reply_cooldown_minutes: minutes }, 'auto_reply_cooldown_minutes')
    }
    for (const enabled of ['yes', 2])
      await expectRefused({ auto_reply_enabled: enabled }, 'auto_reply_enabled')
  })
})

describe('the response is 404', () => {
  test('while the company has no messaging, and nothing is saved', async () => {
    company = await bellhop.newCompany({ messaging: false })
    path = await settingsOf(company)
    expect((await company.api.get(path)).status).toBe(404)
    expect(await company.api.patch(path, { auto_reply_text: 'Hi' })).toMatchObject({
      status: 404,
      body: { error: 'not_found' },
    })
    expect(await savedRows()).toBe(0)
  })

  test('for the number of another company, which stays unchanged', async () => {
    const other = await bellhop.newCompany({ messaging: true })
    expect((await other.api.get(path)).status).toBe(404)
    expect((await other.api.patch(path, { auto_reply_cooldown_minutes: 90 })).status).toBe(404)
    expect(await read()).toEqual(DEFAULTS)
  })
})
