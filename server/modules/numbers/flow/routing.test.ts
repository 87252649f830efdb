import { randomUUID } from 'node:crypto'

import { beforeAll, beforeEach, describe, expect, test } from 'vitest'

import { newNumber } from '../../../../test/harness/calls/telephony.ts'
import { type Harness, harness, type TestCompany } from '../../../../test/harness/index.ts'
import { allRows } from '../../../../test/harness/routes/rows.ts'
import { encodeId } from '../../../platform/ids.ts'

let bellhop: Harness
let company: TestCompany
let path: string
let anna: string
let bo: string

beforeAll(async () => {
  bellhop = await harness()
})

beforeEach(async () => {
  company = await bellhop.newCompany()
  path = `/business_numbers/${encodeId('num', await newNumber(company))}`
  anna = await employ(company)
  bo = await employ(company)
})

const SLOTS = ['incoming_call_config', 'outside_business_hours_config', 'no_answer_config'] as const
const UNKNOWN = encodeId('emp', '01890000-0000-7000-8000-000000000000')

async function employ({ api }: TestCompany): Promise<string> {
  return (await api.post('/employees', { name: 'Colleague', email: `${randomUUID()}@example.com` })).body.id
}

const read = async () => (await company.api.get(path)).body
const timeout = async () => (await read()).no_answer_timeout_secs
const put = (slot: string, body: unknown) => company.api.put(`${path}/${slot}`, body)

/** A refusal changes neither the number nor anything else. */
async function expectRefused(slot: string, body: unknown, field: string) {
  const [number, rows] = [await read(), await allRows(bellhop.db.sql)]
  const answer = await put(slot, body)
  expect(answer.status).toBe(422)
  expect(answer.body.error).toBe('validation_failed')
  expect(Object.keys(answer.body.errors)).toEqual([field])
  expect(await read()).toEqual(number)
  expect(await allRows(bellhop.db.sql)).toEqual(rows)
}

const message = { type: 'RejectConfig', message: 'We are closed.' }
const menu = (...menu_options: unknown[]) => ({ type: 'PhoneMenuConfig', welcome: 'Hi.', menu_options })

describe.each(SLOTS)('%s', (slot) => {
  test('stores a flow of each type, returns the whole number and changes nothing else', async () => {
    const flows = [
      {
        sent: { type: 'WelcomeTransferConfig', welcome: ' Velkommen. ', employee_ids: [anna, bo, anna] },
        kept: {
          type: 'WelcomeTransferConfig',
          welcome: 'Velkommen.',
          welcome_audio_url: null,
          employee_ids: [anna, bo],
        },
      },
      {
        sent: { type: 'TransferConfig', employee_ids: [bo], welcome: 'left over' },
        kept: { type: 'TransferConfig', employee_ids: [bo] },
      },
      {
        sent: { type: 'RejectConfig', message: 'Vi har lukket.' },
        kept: { type: 'RejectConfig', message: 'Vi har lukket.', message_audio_url: null },
      },
      {
        sent: { type: 'VoicemailConfig', greeting: 'Læg en besked.' },
        kept: { type: 'VoicemailConfig', greeting: 'Læg en besked.', greeting_audio_url: null },
      },
      {
        sent: {
          type: 'PhoneMenuConfig',
          welcome: 'Tast et tal.',
          menu_options: [
            { digit: '1', action_type: 'TransferConfig', employee_ids: [anna] },
            { digit: '9', action_type: 'WelcomeTransferConfig', prompt: 'Vent.', employee_ids: [anna, bo] },
            { digit: '3', action_type: 'VoicemailConfig', prompt: 'Læg en besked.' },
            { digit: '4', action_type: 'PlayMessageConfig', prompt: 'Farvel.' },
          ],
        },
        kept: {
          type: 'PhoneMenuConfig',
          welcome: 'Tast et tal.',
          welcome_audio_url: null,
          menu_options: [
            option('1', 'TransferConfig', null, [anna]),
            option('9', 'WelcomeTransferConfig', 'Vent.', [anna, bo]),
            option('3', 'VoicemailConfig', 'Læg en besked.', []),
            option('4', 'PlayMessageConfig', 'Farvel.', []),
          ],
        },
      },
    ]
    const before = await read()
    for (const { sent, kept } of flows) {
      const { status, body } = await put(slot, sent)
      expect(status).toBe(200)
      expect(body).toEqual({ ...before, [slot]: kept })
      expect(await read()).toEqual(body)
    }
  })

  test('requires the fields of its type', async () => {
    const one = { digit: '1', action_type: 'TransferConfig', employee_ids: [anna] }
    const refusals: [body: unknown, field: string][] = [
      [{}, 'type'],
      [{ employee_ids: [anna] }, 'type'],
      [{ type: '' }, 'type'],
      [{ type: 'PlayMessageConfig', prompt: 'Bye.' }, 'type'],
      [{ type: 'WelcomeTransferConfig', employee_ids: [anna] }, 'welcome'],
      [{ type: 'WelcomeTransferConfig', welcome: '  ', employee_ids: [anna] }, 'welcome'],
      [{ type: 'WelcomeTransferConfig', welcome: 'Hi.' }, 'employee_ids'],
      [{ type: 'WelcomeTransferConfig', welcome: 'Hi.', employee_ids: [] }, 'employee_ids'],
      [{ type: 'TransferConfig' }, 'employee_ids'],
      [{ type: 'TransferConfig', employee_ids: [] }, 'employee_ids'],
      [{ type: 'TransferConfig', employee_ids: anna }, 'employee_ids'],
      [{ type: 'TransferConfig', employee_ids: null }, 'employee_ids'],
      [{ type: 'RejectConfig' }, 'message'],
      [{ type: 'RejectConfig', message: '' }, 'message'],
      [{ type: 'RejectConfig', message: 'We \0 are closed.' }, 'message'],
      [{ type: 'RejectConfig', message: 'x'.repeat(4_001) }, 'message'],
      [{ type: 'RejectConfig', message: '?!' }, 'message'],
      [{ type: 'VoicemailConfig', greeting: '☎️ — 👋' }, 'greeting'],
      [{ type: 'VoicemailConfig' }, 'greeting'],
      [{ type: 'VoicemailConfig', greeting: null }, 'greeting'],
      [{ type: 'PhoneMenuConfig', menu_options: [one] }, 'welcome'],
      [{ type: 'PhoneMenuConfig', welcome: 'Hi.' }, 'menu_options'],
      [menu(), 'menu_options'],
      [menu(one, { ...one, employee_ids: [bo] }), 'menu_options'],
      [menu({ ...one, digit: '0' }), 'menu_options.0.digit'],
      [menu(one, { ...one, digit: '12' }), 'menu_options.1.digit'],
      [menu({ ...one, digit: '*' }), 'menu_options.0.digit'],
      [menu({ ...one, digit: '' }), 'menu_options.0.digit'],
      [menu({ ...one, employee_ids: [] }), 'menu_options.0.employee_ids'],
      [menu({ digit: '1', action_type: 'TransferConfig' }), 'menu_options.0.employee_ids'],
      [menu({ ...one, action_type: 'WelcomeTransferConfig' }), 'menu_options.0.prompt'],
      [
        menu({ digit: '1', action_type: 'WelcomeTransferConfig', prompt: 'Wait.' }),
        'menu_options.0.employee_ids',
      ],
      [menu({ digit: '1', action_type: 'VoicemailConfig' }), 'menu_options.0.prompt'],
      [menu({ digit: '1', action_type: 'PlayMessageConfig', prompt: ' ' }), 'menu_options.0.prompt'],
      [menu({ digit: '1', action_type: 'PlayMessageConfig', prompt: '...' }), 'menu_options.0.prompt'],
      [menu({ digit: '1', action_type: 'RejectConfig', prompt: 'Bye.' }), 'menu_options.0.action_type'],
      [menu({ digit: '1' }), 'menu_options.0.action_type'],
    ]
    for (const [body, field] of refusals) await expectRefused(slot, body, field)
  })

  test('distinguishes a blank text from one without words', async () => {
    for (const [text, why] of [
      [' ', "can't be blank"],
      ['…', 'must have a letter or a digit, or there is nothing to speak'],
    ]) {
      const { body } = await put(slot, { type: 'RejectConfig', message: text })
      expect(body.errors).toEqual({ message: [why] })
    }
  })

  test('refuses employees who are unknown or of another company, in a menu too', async () => {
    const foreign = await employ(await bellhop.newCompany())
    for (const id of [foreign, UNKNOWN]) {
      const employee_ids = [anna, id]
      await expectRefused(slot, { type: 'TransferConfig', employee_ids }, 'employee_ids')
      const menu_options = [
        { digit: '1', action_type: 'TransferConfig', employee_ids: [anna] },
        { digit: '2', action_type: 'WelcomeTransferConfig', prompt: 'Wait.', employee_ids },
      ]
      await expectRefused(slot, menu(...menu_options), 'menu_options.1.employee_ids')
    }
    await expectRefused(slot, { type: 'TransferConfig', employee_ids: [anna, '7'] }, 'employee_ids.1')
  })

  test('prevents the deletion of its call targets, until they are removed from it', async () => {
    const flows = [
      { type: 'TransferConfig', employee_ids: [anna] },
      { type: 'WelcomeTransferConfig', welcome: 'Hi.', employee_ids: [anna] },
      {
        type: 'PhoneMenuConfig',
        welcome: 'Hi.',
        menu_options: [
          { digit: '1', action_type: 'VoicemailConfig', prompt: 'Speak.' },
          { digit: '2', action_type: 'TransferConfig', employee_ids: [anna] },
        ],
      },
    ]
    const { id, name } = await read()
    for (const flow of flows) {
      await put(slot, flow)
      expect(await company.api.delete(`/employees/${anna}`)).toMatchObject({
        status: 422,
        body: { error: 'employee_is_call_target', business_numbers: [{ id, name }] },
      })
    }
    await put(slot, message)
    expect((await company.api.delete(`/employees/${anna}`)).status).toBe(204)
  })

  test('of another company is 404 and stays unchanged', async () => {
    const before = await read()
    const { api } = await bellhop.newCompany()
    expect((await api.put(`${path}/${slot}`, message)).status).toBe(404)
    expect(await read()).toEqual(before)
  })
})

function option(digit: string, action_type: string, prompt: string | null, employee_ids: string[]) {
  return {
    id: expect.toSatisfy(Number.isSafeInteger),
    digit,
    action_type,
    prompt,
    prompt_audio_url: null,
    employee_ids,
  }
}

test('an employee in two slots can be deleted only after leaving both', async () => {
  const flow = { type: 'TransferConfig', employee_ids: [anna] }
  await put('outside_business_hours_config', flow)
  await put('no_answer_config', flow)
  await put('no_answer_config', { type: null })
  expect((await company.api.delete(`/employees/${anna}`)).status).toBe(422)
  await put('outside_business_hours_config', { type: null })
  expect((await company.api.delete(`/employees/${anna}`)).status).toBe(204)
})

test('an employee who is added to a flow during deletion is either kept or refused', async () => {
  for (let round = 0; round < 10; round++) {
    const coworker = await employ(company)
    const [flow, deletion] = await Promise.all([
      put('incoming_call_config', { type: 'TransferConfig', employee_ids: [coworker] }),
      company.api.delete(`/employees/${coworker}`),
    ])
    expect([
      [200, 422],
      [422, 204],
    ]).toContainEqual([flow.status, deletion.status])
  }
})

test('the options of a menu have unique ids', async () => {
  const menu_options = ['1', '2'].map((digit) => ({ digit, action_type: 'VoicemailConfig', prompt: 'Hi.' }))
  await put('incoming_call_config', menu(...menu_options))
  const { body } = await put('no_answer_config', menu(...menu_options))
  const options = [...body.incoming_call_config.menu_options, ...body.no_answer_config.menu_options]
  expect(new Set(options.map(({ id }) => id)).size).toBe(4)
})

describe('clearing by a null type', () => {
  test('clears the slots for outside hours and no answer', async () => {
    await put('no_answer_config', message)
    const before = await read()
    for (const slot of ['outside_business_hours_config', 'no_answer_config']) {
      expect(before[slot]).not.toBeNull()
      const { status, body } = await put(slot, { type: null, greeting: 'ignored' })
      expect(status).toBe(200)
      expect(body[slot]).toBeNull()
      expect((await read())[slot]).toBeNull()
    }
  })

  test('is refused for incoming calls', async () => {
    await expectRefused('incoming_call_config', { type: null }, 'type')
  })
})

describe('business hours', () => {
  const slot = 'outside_business_hours_config'
  const putHours = (business_hours: unknown) => put(slot, { ...message, business_hours })
  const refuseHours = (business_hours: unknown, field: string) =>
    expectRefused(slot, { ...message, business_hours }, field)

  test('change on the days listed, in the same request as the flow', async () => {
    const before = await read()
    const { status, body } = await putHours([
      { day_of_week: 6, open: true, opening_at: '00:00', closing_at: '24:00' },
      { day_of_week: 0, open: true, opening_at: '09:30', closing_at: '09:31', day_name: 'Sunday' },
      { day_of_week: 2, open: false },
    ])
    expect(status).toBe(200)
    const week = [...before.business_hours]
    week[0] = { ...week[0], opening_at: '09:30', closing_at: '09:31' }
    week[2] = { ...week[2], open: false }
    week[6] = { ...week[6], open: true, opening_at: '00:00', closing_at: '24:00' }
    expect(body).toEqual({ ...before, [slot]: { ...message, message_audio_url: null }, business_hours: week })
    expect(await read()).toEqual(body)
  })

  test('change even if the flow is cleared', async () => {
    const { body } = await put(slot, { type: null, business_hours: [{ day_of_week: 4, open: false }] })
    expect(body[slot]).toBeNull()
    expect(body.business_hours[4].open).toBe(false)
  })

  test('of different days, changed concurrently, are all kept', async () => {
    const answers = await Promise.all(
      [0, 1, 2, 3, 4].map((day_of_week) => putHours([{ day_of_week, open: false }])),
    )
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    const { business_hours } = await read()
    expect(business_hours.map(({ open }: { open: boolean }) => open)).toEqual(Array(7).fill(false))
  })

  test('stay when the list is left out or empty', async () => {
    const { business_hours } = await read()
    expect((await put(slot, message)).body.business_hours).toEqual(business_hours)
    expect((await putHours([])).body.business_hours).toEqual(business_hours)
  })

  test('of a closed day may be in any order, but not if it is open', async () => {
    const times = { opening_at: '18:00', closing_at: '09:00' }
    expect((await putHours([{ day_of_week: 5, open: false, ...times }])).body.business_hours[5]).toEqual({
      day_of_week: 5,
      day_name: 'Saturday',
      open: false,
      ...times,
    })
    await refuseHours([{ day_of_week: 5, open: true }], 'business_hours')
    expect((await putHours([{ day_of_week: 5, open: true, closing_at: '19:00' }])).status).toBe(200)
  })

  test('are refused if a day is repeated, closes before it opens or has an invalid time', async () => {
    const day = { day_of_week: 1, open: true, opening_at: '08:00', closing_at: '16:00' }
    const refusals: [days: unknown, field: string][] = [
      [[day, { ...day, opening_at: '09:00' }], 'business_hours'],
      [[day, { ...day, day_of_week: 2, opening_at: '16:00' }], 'business_hours'],
      [[{ ...day, opening_at: '16:01' }], 'business_hours'],
      [[{ ...day, opening_at: '24:00' }], 'business_hours.0.opening_at'],
      [[{ ...day, opening_at: '8:00' }], 'business_hours.0.opening_at'],
      [[{ ...day, opening_at: '08:00:00' }], 'business_hours.0.opening_at'],
      [[{ ...day, opening_at: '' }], 'business_hours.0.opening_at'],
      [[{ ...day, opening_at: null }], 'business_hours.0.opening_at'],
      [[{ ...day, opening_at: 800 }], 'business_hours.0.opening_at'],
      [[{ ...day, closing_at: '24:01' }], 'business_hours.0.closing_at'],
      [[{ ...day, closing_at: '16:60' }], 'business_hours.0.closing_at'],
      [[{ ...day, closing_at: '25:00' }], 'business_hours.0.closing_at'],
      [[{ ...day, open: false, closing_at: 'late' }], 'business_hours.0.closing_at'],
      [[{ ...day, day_of_week: 7 }], 'business_hours.0.day_of_week'],
      [[{ ...day, day_of_week: -1 }], 'business_hours.0.day_of_week'],
      [[{ ...day, day_of_week: 1.5 }], 'business_hours.0.day_of_week'],
      [[{ open: false }], 'business_hours.0.day_of_week'],
      [[{ day_of_week: 1 }], 'business_hours.0.open'],
      ['always', 'business_hours'],
    ]
    for (const [days, field] of refusals) await refuseHours(days, field)
  })

  test('stay unchanged if the flow is refused', async () => {
    const business_hours = [{ day_of_week: 0, open: false }]
    await expectRefused(slot, { business_hours }, 'type')
    await expectRefused(slot, { type: 'VoicemailConfig', business_hours }, 'greeting')
    const employee_ids = [UNKNOWN]
    await expectRefused(slot, { type: 'TransferConfig', employee_ids, business_hours }, 'employee_ids')
  })
})

describe('timeout_secs', () => {
  const slot = 'no_answer_config'
  const putTimeout = (timeout_secs: unknown) => put(slot, { ...message, timeout_secs })

  test.each([15, 30, 60, 300, 600, 1200, 1800, 2700, 3600])('%i sets the timer', async (seconds) => {
    const { status, body } = await putTimeout(seconds)
    expect(status).toBe(200)
    expect(body.no_answer_timeout_secs).toBe(seconds)
    expect(await timeout()).toBe(seconds)
  })

  test.each([null, 0, '', '  '])('%j switches the timer off', async (off) => {
    await putTimeout(30)
    const { status, body } = await putTimeout(off)
    expect(status).toBe(200)
    expect(body.no_answer_timeout_secs).toBeNull()
    expect(body.no_answer_config).toMatchObject(message)
    expect(await timeout()).toBeNull()
  })

  test('with any other value is refused, and so is the flow', async () => {
    await putTimeout(60)
    for (const other of [1, 10, 14, 16, 20, 40, 15.5, -15, 3601, 7200, '30', 'soon', true, false, [], {}]) {
      await expectRefused(
        slot,
        { type: 'VoicemailConfig', greeting: 'Hi.', timeout_secs: other },
        'timeout_secs',
      )
      await expectRefused(slot, { type: null, timeout_secs: other }, 'timeout_secs')
    }
    expect(await timeout()).toBe(60)
  })

  test.each([7, '30', 'soon', []])('that is refused, such as %j, lists the allowed values', async (other) => {
    const { body } = await put(slot, { type: null, timeout_secs: other })
    expect(body.errors.timeout_secs).toEqual([
      'must be one of 15, 30, 60, 300, 600, 1200, 1800, 2700, 3600, or null',
    ])
  })

  test('left out stays, also when the flow changes', async () => {
    await putTimeout(300)
    const { body } = await put(slot, { type: 'TransferConfig', employee_ids: [bo] })
    expect(body.no_answer_timeout_secs).toBe(300)
  })

  test('left out while the slot is cleared is switched off', async () => {
    await putTimeout(300)
    expect((await put(slot, { type: null })).body).toMatchObject({
      no_answer_config: null,
      no_answer_timeout_secs: null,
    })
    expect(await timeout()).toBeNull()
  })

  test('given while the slot is cleared is kept', async () => {
    expect((await put(slot, { type: null, timeout_secs: 15 })).body).toMatchObject({
      no_answer_config: null,
      no_answer_timeout_secs: 15,
    })
  })
})
