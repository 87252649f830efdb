import { beforeAll, beforeEach, describe, expect, test } from 'vitest'

import { newNumber } from '../../../test/harness/calls/telephony.ts'
import { type Harness, harness, type TestCompany } from '../../../test/harness/index.ts'
import { encodeId } from '../../platform/ids.ts'
import { addNumber, setRegistration } from './index.ts'

let bellhop: Harness
let company: TestCompany

beforeAll(async () => {
  bellhop = await harness()
})

beforeEach(async () => {
  company = await bellhop.newCompany()
})

const pathOf = (uuid: string) => `/business_numbers/${encodeId('num', uuid)}`

const NO_TEXTS = { can_send: false, can_receive: false }

describe('the list of business numbers', () => {
  test('is lean, in the order they were added, under the older key', async () => {
    const first = await newNumber(company, { number: '+4571000001', name: 'Shop' })
    const second = await newNumber(company, { number: '+12125550123', name: 'New York' })
    const { status, body } = await company.api.get('/business_numbers')
    expect(status).toBe(200)
    expect(body).toEqual({
      main_numbers: [
        {
          id: encodeId('num', first),
          name: 'Shop',
          number: '+4571000001',
          number_formatted: '+45 71 00 00 01',
        },
        {
          id: encodeId('num', second),
          name: 'New York',
          number: '+12125550123',
          number_formatted: '+1 212 555 0123',
        },
      ],
    })
  })

  test('is empty for a company without numbers, whatever others have', async () => {
    await newNumber(await bellhop.newCompany())
    expect((await company.api.get('/business_numbers')).body).toEqual({ main_numbers: [] })
  })
})

describe('reading a business number', () => {
  test('returns every field; those not set are null', async () => {
    const id = await newNumber(company, { number: '+4571000002', name: 'Shop', sms: false })
    const { status, body } = await company.api.get(pathOf(id))
    expect(status).toBe(200)
    const day = { opening_at: '08:00', closing_at: '16:00' }
    expect(body).toEqual({
      id: encodeId('num', id),
      name: 'Shop',
      number: '+4571000002',
      number_formatted: '+45 71 00 00 02',
      timezone: 'Europe/Copenhagen',
      language: 'da',
      recording_enabled: false,
      incoming_call_config: {
        type: 'TransferConfig',
        employee_ids: [encodeId('emp', company.employeeId)],
      },
      outside_business_hours_config: {
        type: 'VoicemailConfig',
        greeting: expect.stringContaining('Læg en besked'),
        greeting_audio_url: null,
      },
      no_answer_config: null,
      no_answer_timeout_secs: null,
      wait_audio: 'ringtone',
      registration_status: 'not_required',
      registration_due_at: null,
      retired_at: null,
      business_hours: [
        { day_of_week: 0, day_name: 'Monday', open: true, ...day },
        { day_of_week: 1, day_name: 'Tuesday', open: true, ...day },
        { day_of_week: 2, day_name: 'Wednesday', open: true, ...day },
        { day_of_week: 3, day_name: 'Thursday', open: true, ...day },
        { day_of_week: 4, day_name: 'Friday', open: true, ...day },
        { day_of_week: 5, day_name: 'Saturday', open: false, ...day },
        { day_of_week: 6, day_name: 'Sunday', open: false, ...day },
      ],
      messaging: { sms: NO_TEXTS, mms: NO_TEXTS },
    })
  })

  test('shows its registration status and due date', async () => {
    const id = await newNumber(company)
    await company.db.tx((tx) =>
      setRegistration(tx, id, { status: 'pending', due_at: '2026-12-31T12:00:00Z' }),
    )
    expect((await company.api.get(pathOf(id))).body).toMatchObject({
      registration_status: 'pending',
      registration_due_at: '2026-12-31T12:00:00.000Z',
    })
    await company.db.tx((tx) => setRegistration(tx, id, { status: 'approved' }))
    expect((await company.api.get(pathOf(id))).body).toMatchObject({
      registration_status: 'approved',
      registration_due_at: null,
    })
  })

  test.each(['not_required', 'approved'] as const)('cannot be %s and due', async (status) => {
    const id = await newNumber(company)
    const due_at = '2026-12-31T12:00:00Z'
    await expect(company.db.tx((tx) => setRegistration(tx, id, { status, due_at }))).rejects.toMatchObject({
      issues: [{ path: ['due_at'], message: `does not apply when the status is ${status}` }],
    })
    expect((await company.api.get(pathOf(id))).body.registration_due_at).toBeNull()
  })

  test.each([
    { messaging: false, sms: true, can_send: false, can_receive: true },
    { messaging: true, sms: true, can_send: true, can_receive: true },
    { messaging: true, sms: false, can_send: false, can_receive: false },
  ])(
    'of a company with messaging $messaging and sms $sms shows whether it can send and receive texts',
    async ({ messaging, sms, can_send, can_receive }) => {
      const owner = await bellhop.newCompany({ messaging })
      const id = await newNumber(owner, { sms })
      const expected = { sms: { can_send, can_receive }, mms: NO_TEXTS }
      expect((await owner.api.get(pathOf(id))).body.messaging).toEqual(expected)
      expect((await owner.api.patch(pathOf(id), { name: 'Shop' })).body.messaging).toEqual(expected)
    },
  )

  test('of another company, an unknown one and a malformed id are the same 404', async () => {
    const foreign = pathOf(await newNumber(await bellhop.newCompany()))
    const unknown = `/business_numbers/${encodeId('num', '01890000-0000-7000-8000-000000000000')}`
    const answers = await Promise.all(
      [foreign, unknown, '/business_numbers/1'].map((path) => company.api.get(path)),
    )
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404])
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1)
    expect(answers[0]!.body.error).toBe('not_found')
  })
})

describe('a new number', () => {
  test('of a company without employees has a voicemail in its own language', async () => {
    const [{ id: companyId } = { id: '' }] = await bellhop.db.sql<{ id: string }[]>`
      insert into companies (name, country) values ('Empty', 'GB') returning id`
    const { id } = await bellhop.db.tx((tx) =>
      addNumber(tx, companyId, { number: '+442071838750', name: 'London' }),
    )
    const [row] = await bellhop.db.sql`
      select language, timezone, incoming_call_config from business_numbers where id = ${id}`
    expect(row).toEqual({
      language: 'en',
      timezone: 'Europe/London',
      incoming_call_config: {
        type: 'VoicemailConfig',
        greeting: expect.stringContaining('leave a message'),
      },
    })
  })

  test.each(['nb', 'no'])('in Norwegian, called %s, greets in Norwegian', async (language) => {
    const id = await newNumber(company, { language })
    const { body } = await company.api.get(pathOf(id))
    expect(body.language).toBe(language)
    expect(body.outside_business_hours_config.greeting).toContain('Legg igjen en beskjed')
  })
})

const greetingsOf = async (id: string) => {
  const { incoming_call_config, outside_business_hours_config } = (await company.api.get(pathOf(id))).body
  return [incoming_call_config.greeting, outside_business_hours_config.greeting]
}

describe('in another language', () => {
  const GREETING = { type: 'VoicemailConfig', greeting: 'Hej fra Nordlys.' } as const

  test('default greetings are translated, and their audio is synthesised again', async () => {
    const id = await newNumber(company)
    const slot = `${pathOf(id)}/incoming_call_config`
    const { greeting } = (await company.api.get(pathOf(id))).body.outside_business_hours_config
    expect((await company.api.put(slot, { type: 'VoicemailConfig', greeting })).status).toBe(200)
    const { body } = await company.api.patch(pathOf(id), { language: 'sv' })
    expect(body.outside_business_hours_config).toMatchObject({
      greeting: expect.stringContaining('Lämna ett meddelande'),
      greeting_audio_url: null,
    })
    expect(await greetingsOf(id)).toEqual(
      Array.from({ length: 2 }, () => expect.stringContaining('Lämna ett meddelande')),
    )
    await company.api.patch(pathOf(id), { language: 'da' })
    expect(await greetingsOf(id)).toEqual([greeting, greeting])
  })

  test('a greeting that somebody has changed stays', async () => {
    const id = await newNumber(company, { incoming: GREETING })
    await company.api.patch(pathOf(id), { language: 'sv' })
    expect(await greetingsOf(id)).toEqual([
      GREETING.greeting,
      expect.stringContaining('Lämna ett meddelande'),
    ])
  })

  test('other settings change no greeting', async () => {
    const id = await newNumber(company)
    const before = await greetingsOf(id)
    await company.api.patch(pathOf(id), { language: 'da', timezone: 'Europe/Berlin', name: 'Renamed' })
    expect(await greetingsOf(id)).toEqual(before)
  })
})

describe('by default, a new number', () => {
  test.each([
    ['+4520112233', 'Europe/Copenhagen', 'da'],
    ['+12125550199', 'America/New_York', 'en'],
    ['+299321000', 'America/Nuuk', 'kl'],
    ['+298311111', 'Atlantic/Faroe', 'fo'],
    ['+5491123456789', 'America/Argentina/Buenos_Aires', 'es'],
    ['+918123456789', 'Asia/Kolkata', 'hi'],
    ['+380501234567', 'Europe/Kyiv', 'uk'],
    ['+998912345678', 'Asia/Tashkent', 'uz'],
    ['+38343201234', 'Europe/Belgrade', 'sq'],
  ])('%s has the time zone %s and the language %s', async (number, timezone, language) => {
    const id = await newNumber(company, { number })
    expect((await company.api.get(pathOf(id))).body).toMatchObject({ timezone, language })
  })
})

describe('changing a business number', () => {
  let path: string

  beforeEach(async () => {
    path = pathOf(await newNumber(company))
  })

  test('returns the whole number and changes only the fields that were sent', async () => {
    // A default greeting would follow the language.
    await company.api.put(`${path}/outside_business_hours_config`, { type: null })
    const before = (await company.api.get(path)).body
    const changes = {
      name: 'Support',
      timezone: 'America/Argentina/Buenos_Aires',
      language: 'de',
      recording_enabled: true,
      wait_audio: 'music',
    }
    for (const [field, value] of Object.entries(changes)) {
      const expected = { ...(await company.api.get(path)).body, [field]: value }
      const { status, body } = await company.api.patch(path, { [field]: value })
      expect(status).toBe(200)
      expect(body).toEqual(expected)
    }
    expect((await company.api.get(path)).body).toEqual({ ...before, ...changes })
  })

  test('with nothing, or with fields of other endpoints, changes nothing', async () => {
    const before = (await company.api.get(path)).body
    for (const body of [{}, { number: '+4511111111', business_hours: [], no_answer_timeout_secs: 30 }]) {
      expect(await company.api.patch(path, body)).toMatchObject({ status: 200, body: before })
    }
    expect((await company.api.get(path)).body).toEqual(before)
  })

  test.each(['A-b_c~d!e.f+g 9', 'x', 'x'.repeat(128)])('accepts the name %s', async (name) => {
    expect((await company.api.patch(path, { name })).body.name).toBe(name)
  })

  test.each([
    'Europe/Copenhagen',
    'America/Indiana/Indianapolis',
    'America/Port-au-Prince',
    'Africa/Dar_es_Salaam',
    'Antarctica/McMurdo',
    'Asia/Kolkata',
    'Asia/Calcutta',
    'Europe/Kyiv',
  ])('accepts the time zone %s and keeps its spelling', async (timezone) => {
    expect((await company.api.patch(path, { timezone })).body.timezone).toBe(timezone)
  })

  test('to a wait audio of null sets the default', async () => {
    await company.api.patch(path, { wait_audio: 'music' })
    const { status, body } = await company.api.patch(path, { wait_audio: null })
    expect([status, body.wait_audio]).toEqual([200, 'ringtone'])
  })

  test('trims the name', async () => {
    expect((await company.api.patch(path, { name: '  Shop ' })).body.name).toBe('Shop')
  })

  test.each([
    ['name', 'Værksted'],
    ['name', 'Shop & Co'],
    ['name', 'Shop\nTwo'],
    ['name', 'x'.repeat(129)],
    ['name', '  '],
    ['name', null],
    ['name', 7],
    ['timezone', 'Europe/Atlantis'],
    ['timezone', 'europe/copenhagen'],
    ['timezone', 'Europe/COPENHAGEN'],
    ['timezone', 'Asia/kolkata'],
    ['timezone', ' Europe/Copenhagen'],
    ['timezone', 'Australia/NSW'],
    ['timezone', 'CET'],
    ['timezone', 'UTC'],
    ['timezone', 'Etc/GMT+1'],
    ['timezone', '+01:00'],
    ['timezone', null],
    ['language', 'xx'],
    ['language', 'da-DK'],
    ['language', ''],
    ['language', null],
    ['recording_enabled', 'sometimes'],
    ['recording_enabled', null],
    ['wait_audio', 'silence'],
  ])('refuses the %s %j, together with the other fields', async (field, value) => {
    const before = (await company.api.get(path)).body
    const beside = field === 'name' ? { language: 'en' } : { name: 'Changed' }
    const { status, body } = await company.api.patch(path, { ...beside, [field]: value })
    expect(status).toBe(422)
    expect(body).toMatchObject({ error: 'validation_failed', errors: { [field]: [expect.any(String)] } })
    expect((await company.api.get(path)).body).toEqual(before)
  })

  test('of another company is 404 and changes nothing', async () => {
    const other = await bellhop.newCompany()
    const before = (await company.api.get(path)).body
    expect((await other.api.patch(path, { name: 'Mine' })).status).toBe(404)
    expect((await company.api.get(path)).body).toEqual(before)
  })
})
