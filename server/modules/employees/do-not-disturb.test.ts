import { beforeAll, beforeEach, describe, expect, test } from 'vitest'

import { apiClient } from '../../../test/harness/api-client.ts'
import { openQueueFixture } from '../../../test/harness/calls/queue-fixture.ts'
import { newNumber } from '../../../test/harness/calls/telephony.ts'
import { type Harness, harness, type TestCompany } from '../../../test/harness/index.ts'
import { decodeId, encodeId } from '../../platform/ids.ts'
import { setRetired } from '../numbers/index.ts'

let bellhop: Harness
let company: TestCompany
/** The employee under test, who has been invited and has not signed in yet. */
let anna: { id: string; [field: string]: unknown }

beforeAll(async () => {
  bellhop = await harness()
})

beforeEach(async () => {
  company = await bellhop.newCompany()
  anna = await employ('Anna')
})

async function employ(name: string) {
  const email = `${name.toLowerCase()}-${company.companyId}@example.com`
  const { status, body } = await company.api.post('/employees', { name, email })
  expect(status).toBe(201)
  return body
}

const NOT_FOUND = { error: 'not_found', message: expect.any(String) }
const UNKNOWN = 'emp_01h455vb4pex5vsknk084sn02q'
const OFF = { enabled: false, activated_at: null, expires_at: null, at_risk_main_numbers: [] }

const pathOf = ({ id }: { id: string }) => `/employees/${id}/do_not_disturb`
const read = async (employee = anna) => (await company.api.get(pathOf(employee))).body
const set = (body: unknown, employee = anna) => company.api.put(pathOf(employee), body)
const readEmployee = async () => (await company.api.get(`/employees/${anna.id}`)).body

const fromNow = (ms: number) => new Date(Date.now() + ms).toISOString()
const HOUR_MS = 3_600_000
/** Soon enough to wait for, and late enough for the requests that come first. */
const SOON_MS = 3_000
const WAIT = { timeout: 30_000, interval: 50 }

describe('do not disturb', () => {
  test('is off at first', async () => {
    const { status, body } = await company.api.get(pathOf(anna))
    expect(status).toBe(200)
    expect(body).toEqual(OFF)
  })

  test.each([{}, { expires_at: null }])('switched on with %o has no end', async (more) => {
    const { status, body } = await set({ enabled: true, ...more })
    const now = bellhop.clock.now().toISOString()
    expect(status).toBe(200)
    expect(body).toEqual({
      ...anna,
      status: 'do_not_disturb',
      do_not_disturb: true,
      do_not_disturb_activated_at: now,
      do_not_disturb_expires_at: null,
      updated_at: expect.any(String),
    })
    expect(await readEmployee()).toEqual(body)
    expect(await read()).toEqual({ ...OFF, enabled: true, activated_at: now })
  })

  test('switched on until a time returns that time', async () => {
    const expires_at = fromNow(HOUR_MS)
    const { status, body } = await set({ enabled: true, expires_at })
    expect(status).toBe(200)
    expect(body).toMatchObject({ do_not_disturb: true, do_not_disturb_expires_at: expires_at })
    expect(await read()).toMatchObject({ enabled: true, expires_at })
  })

  test.each([
    '2999-01-01T01:30:00+01:00',
    '2999-01-01T01:30+0100',
    '2998-12-31T23:30:00.000-01',
    '2999-01-01T00:30Z',
    '2999-01-01T00:30:00',
    '2999-01-01T00:30:00.000',
    '2999-01-01T00:30',
  ])('accepts %s', async (expires_at) => {
    const { body } = await set({ enabled: true, expires_at })
    expect(body.do_not_disturb_expires_at).toBe('2999-01-01T00:30:00.000Z')
  })

  test('a date alone is where that day begins, in UTC', async () => {
    const { body } = await set({ enabled: true, expires_at: '2999-01-01' })
    expect(body.do_not_disturb_expires_at).toBe('2999-01-01T00:00:00.000Z')
    const past = await set({ enabled: true, expires_at: '2001-01-01' })
    expect([past.status, past.body.errors]).toEqual([422, { expires_at: ['must be in the future'] }])
    expect((await set({ enabled: true, expires_at: '2999-02-30' })).status).toBe(422)
  })

  test('may end at the latest time that can be represented', async () => {
    const { status, body } = await set({ enabled: true, expires_at: '9999-12-31T23:59:59Z' })
    expect(status).toBe(200)
    expect(body.do_not_disturb_expires_at).toBe('9999-12-31T23:59:59.000Z')
  })

  test('switched on again replaces the earlier end, and was activated when it was switched on first', async () => {
    const activated_at = bellhop.clock.now().toISOString()
    await set({ enabled: true, expires_at: fromNow(HOUR_MS) })
    bellhop.clock.advance(1_000)
    await set({ enabled: true })
    expect(await read()).toMatchObject({ enabled: true, activated_at, expires_at: null })
    await set({ enabled: false })
    await set({ enabled: true })
    expect(await read()).toMatchObject({ activated_at: bellhop.clock.now().toISOString() })
  })

  test.each([
    {},
    { expires_at: null },
    { expires_at: '2001-01-01T00:00:00Z' },
    { expires_at: '2999-01-01T00:00:00Z' },
    { expires_at: 'never' },
  ])('switched off with %o is off, whatever the end', async (more) => {
    await set({ enabled: true, expires_at: fromNow(HOUR_MS) })
    const { status, body } = await set({ enabled: false, ...more })
    expect(status).toBe(200)
    expect(body).toEqual({ ...anna, updated_at: expect.any(String) })
    expect(body).toMatchObject({
      status: 'logged_out',
      do_not_disturb: false,
      do_not_disturb_activated_at: null,
      do_not_disturb_expires_at: null,
    })
    expect(await read()).toEqual(OFF)
  })

  test('is shown in the list of employees, for that employee only', async () => {
    await set({ enabled: true })
    const { employees } = (await company.api.get('/employees')).body
    expect(employees).toMatchObject([
      { name: 'Owner', status: 'logged_out', do_not_disturb: false },
      { name: 'Anna', status: 'do_not_disturb', do_not_disturb: true, invitation_pending: true },
    ])
  })

  test('of an employee who has signed in is shown as well', async () => {
    const owner = { id: encodeId('emp', company.employeeId) }
    const { body } = await set({ enabled: true }, owner)
    expect(body).toMatchObject({ invitation_pending: false, status: 'do_not_disturb' })
  })

  test('is neither set nor cleared by changing the employee', async () => {
    await set({ enabled: true })
    const on = await read()
    await company.api.patch(`/employees/${anna.id}`, { name: 'Anna B', do_not_disturb: false, status: 'x' })
    expect(await read()).toEqual(on)
  })
})

describe('a refused request', () => {
  test.each([
    [{ enabled: true, expires_at: '2001-01-01T00:00:00Z' }, 'expires_at', 'must be in the future'],
    [{ enabled: true, expires_at: 'tomorrow' }, 'expires_at', 'must be a time, such as 2026-12-31T12:00:00Z'],
    [{ enabled: true, expires_at: '' }, 'expires_at', 'must be a time, such as 2026-12-31T12:00:00Z'],
    [{ enabled: true, expires_at: 4102444800 }, 'expires_at', 'must be a time, such as 2026-12-31T12:00:00Z'],
    [
      { enabled: true, expires_at: '2999-02-30T00:00:00Z' },
      'expires_at',
      'must be a time, such as 2026-12-31T12:00:00Z',
    ],
    [
      { enabled: true, expires_at: '9999-12-31T23:59:59-12:00' },
      'expires_at',
      'must be a time, such as 2026-12-31T12:00:00Z',
    ],
    [{}, 'enabled', 'is required'],
    [{ expires_at: '2999-01-01T00:00:00Z' }, 'enabled', 'is required'],
    [{ enabled: null }, 'enabled', 'must be a boolean'],
    [{ enabled: 'true' }, 'enabled', 'must be a boolean'],
    [{ enabled: 1 }, 'enabled', 'must be a boolean'],
  ])('%o changes nothing', async (input, field, message) => {
    for (const before of [{ enabled: false }, { enabled: true, expires_at: fromNow(HOUR_MS) }]) {
      await set(before)
      const unchanged = await read()
      const { status, body } = await set(input)
      expect(status).toBe(422)
      expect(body).toEqual({
        error: 'validation_failed',
        message: `${field} ${message}.`,
        errors: { [field]: [message] },
      })
      expect(await read()).toEqual(unchanged)
    }
  })

  test('refuses an end at the current time, and accepts one a millisecond later', async () => {
    const now = bellhop.clock.now().getTime()
    const at = (ms: number) => ({ enabled: true, expires_at: new Date(now + ms).toISOString() })
    expect((await set(at(-1))).status).toBe(422)
    expect((await set(at(0))).status).toBe(422)
    expect((await set(at(1))).status).toBe(200)
  })

  test('for an employee who is unknown, of another company or malformed is 404', async () => {
    const other = await bellhop.newCompany()
    const foreign = encodeId('emp', other.employeeId)
    for (const id of [UNKNOWN, foreign, 'emp_x', UNKNOWN.replace('emp', 'con')]) {
      for (const { status, body } of [
        await company.api.get(pathOf({ id })),
        await set({ enabled: true }, { id }),
        await set({ enabled: true, expires_at: fromNow(HOUR_MS) }, { id }),
      ]) {
        expect(status, id).toBe(404)
        expect(body).toEqual(NOT_FOUND)
      }
    }
    expect((await other.api.get(pathOf({ id: foreign }))).body).toEqual(OFF)
  })
})

/** The stored values, even if they have expired. */
async function stored() {
  const [row] = await bellhop.db.sql<{ activated: Date | null; expires: Date | null }[]>`
    select do_not_disturb_activated_at as activated, do_not_disturb_expires_at as expires
    from employees where id = ${decodeId('emp', anna.id)!}`
  return row!
}

async function waitUntil(time: string) {
  await expect
    .poll(async () => (await bellhop.db.sql`select now() > ${time}::timestamptz as past`)[0]!.past, WAIT)
    .toBe(true)
}

describe('the end of do not disturb', () => {
  test('takes effect on time without a worker too, and on a server started later', async () => {
    const expires_at = fromNow(SOON_MS)
    expect((await set({ enabled: true, expires_at })).body.status).toBe('do_not_disturb')
    await expect.poll(async () => (await read()).enabled, WAIT).toBe(false)
    expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(expires_at))
    expect(await read()).toEqual(OFF)
    expect(await readEmployee()).toEqual({ ...anna, updated_at: expect.any(String) })
    expect((await stored()).activated).not.toBeNull()
    const restarted = apiClient(await bellhop.startAnotherApi(), company.key)
    expect((await restarted.get(pathOf(anna))).body).toEqual(OFF)
  })

  test('is stored by a background job, not before it is due', async () => {
    const late = fromNow(HOUR_MS)
    await set({ enabled: true, expires_at: late })
    await bellhop.drainJobs()
    expect((await stored()).expires?.toISOString()).toBe(late)
    const expires_at = fromNow(SOON_MS)
    await set({ enabled: true, expires_at })
    await waitUntil(expires_at)
    await bellhop.drainJobs()
    expect(await stored()).toEqual({ activated: null, expires: null })
    expect(await read()).toEqual(OFF)
  })

  test.each([{ expires_at: null }, { expires_at: '2999-01-01T00:00:00.000Z' }])(
    'does not happen at the earlier time if it was moved to %o',
    async (later) => {
      const expires_at = fromNow(SOON_MS)
      await set({ enabled: true, expires_at })
      await set({ enabled: true, ...later })
      await waitUntil(expires_at)
      await bellhop.drainJobs()
      expect(await read()).toMatchObject({ enabled: true, ...later })
    },
  )

  test('of an employee who was deleted meanwhile causes no error', async () => {
    const expires_at = fromNow(SOON_MS)
    await set({ enabled: true, expires_at })
    expect((await company.api.delete(`/employees/${anna.id}`)).status).toBe(204)
    await waitUntil(expires_at)
    await bellhop.drainJobs()
    const left = await bellhop.db.sql`
      select * from graphile_worker.jobs
      where task_identifier = 'employees.end_do_not_disturb' and run_at <= ${expires_at}`
    expect(left).toEqual([])
  })
})

/** A company whose first employee, Bo, is available, and a number. */
async function openNumber() {
  const fixture = await openQueueFixture(bellhop)
  company = fixture.company
  anna = await employ('Anna')
  const bo = encodeId('emp', company.employeeId)
  await (await fixture.newPhone(company.employeeId)).register()
  const number = { id: encodeId('num', await newNumber(company, { name: 'Sales' })), name: 'Sales' }
  const put = async (slot: string, flow: unknown) =>
    expect((await company.api.put(`/business_numbers/${number.id}/${slot}`, flow)).status).toBe(200)
  return { bo, number, put }
}
const ring = (...employee_ids: string[]) => ({ type: 'TransferConfig', employee_ids })
const menu = (...options: string[][]) => ({
  type: 'PhoneMenuConfig',
  welcome: 'Tryk et tal.',
  menu_options: options.map((employee_ids, index) => ({
    digit: String(index + 1),
    action_type: 'TransferConfig',
    employee_ids,
  })),
})

describe('numbers at risk', () => {
  test('are those whose flows name the employee, if nobody else could answer', async () => {
    // A new number rings every employee.
    const [sales, support] = [
      await newNumber(company, { name: 'Sales' }),
      await newNumber(company, { name: 'Support' }),
    ]
    await newNumber(await bellhop.newCompany())
    const bo = await employ('Bo')
    const both = [
      { id: encodeId('num', sales), name: 'Sales' },
      { id: encodeId('num', support), name: 'Support' },
    ]
    expect((await read()).at_risk_main_numbers).toEqual(both)
    expect((await read(bo)).at_risk_main_numbers).toEqual([])
    expect(anna.status).toBe('logged_out')
  })

  test('stay the same, as do the flows, while do not disturb is on', async () => {
    const id = encodeId('num', await newNumber(company, { name: 'Sales' }))
    const flow = async () => (await company.api.get(`/business_numbers/${id}`)).body.incoming_call_config
    const before = await flow()
    expect(before.employee_ids).toContain(anna.id)
    for (const enabled of [true, false]) {
      await set({ enabled })
      expect(await read()).toMatchObject({ enabled, at_risk_main_numbers: [{ id, name: 'Sales' }] })
      expect(await flow()).toEqual(before)
    }
  })

  test('list a number once, even if several of its flows name the employee', async () => {
    const id = encodeId('num', await newNumber(company, { name: 'Sales' }))
    const flow = { type: 'TransferConfig', employee_ids: [anna.id] }
    const { status } = await company.api.put(`/business_numbers/${id}/outside_business_hours_config`, flow)
    expect(status).toBe(200)
    expect((await read()).at_risk_main_numbers).toEqual([{ id, name: 'Sales' }])
  })

  test('take calls: one that is out of service is at risk again only when it is restored', async () => {
    const id = await newNumber(company, { name: 'Sales' })
    const number = { id: encodeId('num', id), name: 'Sales' }
    for (const [retired, atRisk] of [
      [true, []],
      [false, [number]],
    ] as const) {
      await company.db.tx((tx) => setRetired(tx, id, retired))
      expect((await read()).at_risk_main_numbers).toEqual(atRisk)
    }
  })

  describe('are judged by each step of a call flow', () => {
    test('a coworker of the same step is cover', async () => {
      const { bo, put } = await openNumber()
      await put('incoming_call_config', ring(anna.id, bo))
      expect((await read()).at_risk_main_numbers).toEqual([])
      await put('incoming_call_config', menu([bo], [anna.id, bo]))
      expect((await read()).at_risk_main_numbers).toEqual([])
    })

    test('a coworker in another slot is not', async () => {
      const { bo, number, put } = await openNumber()
      await put('incoming_call_config', ring(anna.id, bo))
      await put('outside_business_hours_config', ring(anna.id))
      expect((await read()).at_risk_main_numbers).toEqual([number])
      await put('incoming_call_config', ring(anna.id))
      await put('outside_business_hours_config', ring(bo))
      expect((await read()).at_risk_main_numbers).toEqual([number])
    })

    test('nor is one behind another key of the menu', async () => {
      const { bo, number, put } = await openNumber()
      await put('incoming_call_config', menu([bo], [anna.id]))
      expect((await read()).at_risk_main_numbers).toEqual([number])
    })

    test('the no-answer flow is not judged, because nothing comes after it', async () => {
      const { put } = await openNumber()
      await put('incoming_call_config', { type: 'VoicemailConfig', greeting: 'Hej.' })
      await put('no_answer_config', { ...ring(anna.id), timeout_secs: 15 })
      expect((await read()).at_risk_main_numbers).toEqual([])
    })
  })
})
