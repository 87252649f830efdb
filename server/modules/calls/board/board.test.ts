import { beforeAll, beforeEach, describe, expect, test } from 'vitest'

import { newCall, newNumber } from '../../../../test/harness/calls/telephony.ts'
import { newEmployee } from '../../../../test/harness/employees.ts'
import { type Harness, harness, type TestCompany } from '../../../../test/harness/index.ts'
import { decodeId, encodeId } from '../../../platform/ids.ts'
import { dayIn } from './start-of-day.ts'

let bellhop: Harness
let company: TestCompany
let anna: string

beforeAll(async () => {
  bellhop = await harness()
})

beforeEach(async () => {
  company = await bellhop.newCompany()
  anna = await employ('Anna')
})

async function employ(name: string): Promise<string> {
  const email = `${crypto.randomUUID()}@example.com`
  return (await bellhop.db.tx((tx) => newEmployee(tx, company.companyId, { name, email }))).id
}

const read = async (path: string): Promise<any> => {
  const { status, body } = await company.api.get(path)
  expect(status, JSON.stringify(body)).toBe(200)
  return body
}

describe('the calls of today', () => {
  const NONE = {
    inbound: { calls: 0, answered: 0, missed: 0, average_wait_secs: null },
    outbound: { calls: 0, answered: 0 },
  }

  test('are none in an empty company, whose day is that of UTC', async () => {
    await newCall(await bellhop.newCompany())
    const { date } = dayIn('UTC', bellhop.clock.now())
    expect(await read('/calls/today')).toEqual({ date, time_zone: 'UTC', ...NONE })
  })

  test('are counted by direction and outcome, from midnight where the company is', async () => {
    const timezone = 'Pacific/Auckland'
    const business_number_id = await newNumber(company, { timezone, mute: true })
    const { date, since } = dayIn(timezone, bellhop.clock.now())
    const at = (seconds: number) => new Date(since.getTime() + seconds * 1_000)
    const call = (values: Parameters<typeof newCall>[1]) =>
      newCall(company, { business_number_id, ...values })
    await call({ started_at: at(0), answered_at: at(10), ended_at: at(100) })
    await call({ started_at: at(5), answered_at: at(25), ended_at: null, state: 'bridged' })
    await call({ started_at: at(5), ended_at: at(60) })
    await call({ started_at: at(5), ended_at: null, state: 'queued' })
    await call({ started_at: at(5), ended_at: at(60), direction: 'outbound' })
    await call({ started_at: at(5), answered_at: at(500), ended_at: at(600), direction: 'outbound' })
    // Stored today, but of yesterday.
    await call({ started_at: at(-1), answered_at: at(50), ended_at: at(60) })
    expect(await read('/calls/today')).toEqual({
      date,
      time_zone: timezone,
      inbound: { calls: 4, answered: 2, missed: 1, average_wait_secs: 15 },
      outbound: { calls: 2, answered: 1 },
    })
  })
})

describe('the live calls', () => {
  test('are none in an empty company', async () => {
    await newCall(await bellhop.newCompany(), { state: 'bridged', ended_at: null })
    await newCall(company)
    expect(await read('/calls/live')).toEqual({ calls: [], internal_calls: [] })
  })

  test('tell who talks to whom since when, also in a consultation and between coworkers', async () => {
    const bo = await employ('Bo')
    const { db, companyId } = company
    const phone_number = '+4520112233'
    await company.api.post('/contacts', { phone: phone_number, name: 'Mikkel Dahl' })
    const business_number_id = await newNumber(company, { name: 'Shop', mute: true })
    const joined = new Date('2026-11-17T10:00:00Z')
    const id = await newCall(company, { business_number_id, state: 'answered', ended_at: null })
    await db.sql`update calls set controller_id = ${anna} where id = ${id}`
    await db.sql`
      insert into call_employees (company_id, call_id, employee_id, joined_at)
      values (${companyId}, ${id}, ${bo}, '2026-11-17T09:00:00Z'), (${companyId}, ${id}, ${anna}, ${joined})`
    await db.sql`
      insert into transfers (company_id, call_id, state, from_employee_id, to_employee_id)
      values (${companyId}, ${id}, 'cancelled', ${anna}, ${anna}), (${companyId}, ${id}, 'consulting', ${anna}, ${bo})`
    await db.sql`
      insert into internal_calls (company_id, edge_id, from_employee_id, from_extension, to_employee_id, to_extension, started_at, state)
      select ${companyId}, ${crypto.randomUUID()}, ${bo}, '11', ${anna}, '10', now(), state
      from unnest(array['answered', 'ended']) as state`
    const { calls, internal_calls } = await read('/calls/live')
    const [person, coworker] = [
      { id: encodeId('emp', anna), name: 'Anna' },
      { id: encodeId('emp', bo), name: 'Bo' },
    ]
    expect(calls).toEqual([
      {
        id: encodeId('cal', id),
        direction: 'inbound',
        state: 'answered',
        phone_number,
        contact_name: 'Mikkel Dahl',
        main_number_id: encodeId('num', business_number_id),
        main_number_name: 'Shop',
        started_at: expect.any(String),
        answered_at: null,
        employee: person,
        employee_since: joined.toISOString(),
        consulted: coworker,
        position: null,
      },
    ])
    expect(internal_calls).toMatchObject([
      { from_employee: coworker, to_employee: person, state: 'answered' },
    ])
  })

  test('have those who wait in the order of the queue of their number', async () => {
    const { db, companyId } = company
    const [first, second] = [
      await newNumber(company, { mute: true }),
      await newNumber(company, { mute: true }),
    ]
    const waiting: string[] = []
    for (const [business_number_id, seconds] of [
      [first, 30],
      [first, 10],
      [second, 20],
    ] as const) {
      const id = await newCall(company, { business_number_id, state: 'queued', ended_at: null })
      await db.sql`
        insert into call_queue (company_id, call_id, business_number_id, edge_id, employee_ids, joined_at)
        values (${companyId}, ${id}, ${business_number_id}, ${crypto.randomUUID()}, '{}', now() + ${seconds} * interval '1 second')`
      waiting.push(id)
    }
    const { calls } = await read('/calls/live')
    const positions = new Map(calls.map((call: any) => [decodeId('cal', call.id), call.position]))
    expect(waiting.map((id) => positions.get(id))).toEqual([2, 1, 1])
  })
})
