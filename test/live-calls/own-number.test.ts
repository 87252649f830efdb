import { expect, test } from 'vitest'

import { eventually, followCallEvents } from '../harness/calls/call-events.ts'
import { numberWith, openPhoneSystem } from '../harness/calls/phone-system.ts'
import type { TestCompany } from '../harness/index.ts'

const { bellhop, hire, carrier, callee } = await openPhoneSystem({
  BELLHOP_WEBHOOKS_ALLOW_INSECURE: '1',
  OUTBOUND_COUNTRIES: 'DK',
})

async function office() {
  const company = await bellhop.newCompany()
  const anna = await hire(company, 'Anna', 700)
  const bob = await hire(company, 'Bob', 800)
  const shown = await numberWith(bellhop, company, { type: 'TransferConfig', employee_ids: [anna.id] })
  const called = await numberWith(bellhop, company, { type: 'TransferConfig', employee_ids: [bob.id] })
  return { company, anna, bob, shown, called }
}

/** The newest call in each direction, once both are in this state. */
function bothAre(company: TestCompany, state: string) {
  return eventually(async () => {
    const { calls } = (await company.api.get('/calls')).body
    const [outbound, inbound] = ['outbound', 'inbound'].map((direction) =>
      calls.find((call: { direction: string }) => call.direction === direction),
    )
    expect([outbound?.state, inbound?.state]).toEqual([state, state])
    return { outbound, inbound }
  })
}

test('a number of the company that an employee dials is answered by its call flow, without the carrier', async () => {
  const { company, anna, bob, shown, called } = await office()
  const told = await followCallEvents(bellhop, company)
  const annasPhone = await anna.dial(called.number.slice('+45'.length))
  await annasPhone.answered()
  const bobsPhone = await bob.rings()
  expect(bobsPhone.call.from.uri).toMatchObject({ user: shown.number })
  await bobsPhone.answer()
  await Promise.all([annasPhone.hears(800), bobsPhone.hears(700)])
  const { outbound, inbound } = await bothAre(company, 'bridged')
  expect(outbound).toMatchObject({
    from: shown.number,
    to: called.number,
    main_number_id: shown.id,
    initiated_by: { id: anna.id },
    employees: [{ id: anna.id }],
  })
  expect(inbound).toMatchObject({
    from: shown.number,
    to: called.number,
    main_number_id: called.id,
    employees: [{ id: bob.id }],
  })
  bobsPhone.hangUp()
  await annasPhone.ended()
  await bothAre(company, 'ended')
  expect(carrier.calls.waiting).toEqual([])
  const events = (await told()).map(({ event, data }) => `${data.direction} ${event}`)
  expect(events.toSorted()).toEqual([
    'inbound call.answered',
    'inbound call.ended',
    'inbound call.initiated',
    'inbound call.queued',
    'outbound call.answered',
    'outbound call.ended',
    'outbound call.initiated',
  ])
})

test('an employee who dials the number that rings them alone is busy, and hangs up on nobody', async () => {
  const { company, anna, shown } = await office()
  const told = await followCallEvents(bellhop, company, ['employee.status.changed'])
  const phone = await anna.dial(shown.number)
  await phone.answered()
  await eventually(async () => {
    const { calls } = (await company.api.get('/calls?state=queued')).body
    expect(calls).toMatchObject([{ direction: 'inbound', from: shown.number }])
  })
  phone.hangUp()
  const { inbound } = await bothAre(company, 'ended')
  expect(inbound).toMatchObject({ answered_at: null })
  await eventually(async () =>
    expect((await company.api.get(`/employees/${anna.id}`)).body.status).toBe('available'),
  )
  expect(anna.unanswered()).toBe(0)
  expect((await told()).map(({ data }) => data.employee.status)).toEqual(['on_call', 'available'])
})

test('the keys of an employee choose from the menu of the number', async () => {
  const { company, anna, bob } = await office()
  const { number } = await numberWith(bellhop, company, {
    type: 'PhoneMenuConfig',
    welcome: 'Choose.',
    menu_options: [{ digit: '2', action_type: 'TransferConfig', employee_ids: [bob.id] }],
  })
  await bellhop.drainJobs()
  const phone = await anna.dial(number)
  await phone.answered()
  await phone.until('the menu', () => phone.sound().some((sample) => Math.abs(sample) > 2_000))
  phone.press('2')
  const bobsPhone = await bob.rings()
  await bobsPhone.answer()
  await Promise.all([phone.hears(800), bobsPhone.hears(700)])
})

test('an own number in a country that may not be called is put through', async () => {
  const { company, anna, bob } = await office()
  const flow = { type: 'TransferConfig', employee_ids: [bob.id] }
  const swedish = await numberWith(bellhop, company, flow, { number: '+46406930000' })
  const phone = await anna.dial(swedish.number)
  await phone.answered()
  await bob.rings()
  phone.hangUp()
})

test('a number that is out of service, and one of another company, go to the carrier', async () => {
  const { anna, called } = await office()
  const other = await office()
  await bellhop.db.sql`update business_numbers set retired_at = now() where id = ${called.uuid}`
  for (const { number } of [called, other.called]) {
    const phone = await anna.dial(number)
    expect((await callee()).call.uri).toMatchObject({ user: number })
    phone.hangUp()
  }
})
