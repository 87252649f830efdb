import { expect, test } from 'vitest'

import { callIs, eventually } from '../harness/calls/call-events.ts'
import { numberWith, openPhoneSystem } from '../harness/calls/phone-system.ts'

const { bellhop, dial, hire } = await openPhoneSystem()

const CUSTOMER_HZ = 440
const ANNA_HZ = 700
const BOB_HZ = 800
const CAROL_HZ = 900

/** Numbers ring Anna; Bob and Carol are available too. */
async function office() {
  const company = await bellhop.newCompany()
  const anna = await hire(company, 'Anna', ANNA_HZ)
  const bob = await hire(company, 'Bob', BOB_HZ)
  const { extensions } = (await company.api.get('/extensions')).body
  const extensionOf = ({ id }: { id: string }): string =>
    extensions.find((one: { employee_id: string }) => one.employee_id === id).extension
  return { company, anna, bob, extensionOf }
}

/** A customer whom these employees are to answer. */
async function customerFor({ company }: Awaited<ReturnType<typeof office>>, ...employees: { id: string }[]) {
  const flow = { type: 'TransferConfig', employee_ids: employees.map(({ id }) => id) }
  const { number } = await numberWith(bellhop, company, flow)
  const customer = await dial(number)
  await customer.connected()
  return customer
}

test('a phone picks up what rings at a coworker: both hear each other, and the coworker stops ringing', async () => {
  const scene = await office()
  const { company, anna, bob, extensionOf } = scene
  const customer = await customerFor(scene, anna)
  const annasPhone = await anna.rings()
  const bobsPhone = await bob.dial(`**${extensionOf(anna)}`)
  await bobsPhone.answered()
  await Promise.all([customer.hears(BOB_HZ), bobsPhone.hears(CUSTOMER_HZ)])
  expect(await annasPhone.ended()).toEqual({ why: 'cancelled', elsewhere: true })
  const call = await callIs(company, 'bridged')
  expect(call.employees.map(({ name }: { name: string }) => name)).toEqual(['Bob'])
  expect((await bob.api.get('/calls/active')).body.call.id).toBe(call.id)
  await eventually(async () =>
    expect((await company.api.get('/employees')).body.employees).toMatchObject([
      { name: 'Owner', status: 'logged_out' },
      { name: 'Anna', status: 'available' },
      { name: 'Bob', status: 'on_call' },
    ]),
  )
  expect(bob.unanswered()).toBe(0)
  bobsPhone.hangUp()
  await customer.ended()
  await callIs(company, 'ended')
})

test('*8 picks up the call that rings longest, and who is on a call picks up nothing', async () => {
  const scene = await office()
  const { company, anna, bob } = scene
  const carol = await hire(company, 'Carol', CAROL_HZ)
  const nobody = await bob.dial('*8')
  expect(await nobody.ended()).toMatchObject({ why: 'refused', status: 480 })
  const away = await hire(company, 'Dave', 1_000)
  away.leave()
  await eventually(async () => {
    const { employees } = (await company.api.get('/employees')).body
    expect(employees.find(({ id }: { id: string }) => id === away.id).status).toBe('logged_out')
  })
  const waits = await customerFor(scene, away)
  const first = await customerFor(scene, anna)
  await anna.rings()
  const second = await customerFor(scene, carol)
  await carol.rings()
  const bobsPhone = await bob.dial('*8')
  await bobsPhone.answered()
  await Promise.all([first.hears(BOB_HZ), bobsPhone.hears(CUSTOMER_HZ)])
  await eventually(async () => expect((await bob.api.get('/calls/active')).status).toBe(200))
  const busy = await bob.dial('*8')
  expect(await busy.ended()).toMatchObject({ why: 'refused', status: 486 })
  const annasPhone = await anna.dial('*8')
  await annasPhone.answered()
  await second.hears(ANNA_HZ)
  const carolsPhone = await carol.dial('*8')
  await carolsPhone.answered()
  await waits.hears(CAROL_HZ)
})

test('an employee whose own phone rings picks the call up, and it stops ringing', async () => {
  const scene = await office()
  const { anna } = scene
  const customer = await customerFor(scene, anna)
  const rings = await anna.rings()
  const phone = await anna.dial('*8')
  await phone.answered()
  await Promise.all([customer.hears(ANNA_HZ), phone.hears(CUSTOMER_HZ)])
  expect(await rings.ended()).toEqual({ why: 'cancelled', elsewhere: true })
})

test('two phones pick up one call: one of them gets it', async () => {
  const scene = await office()
  const { company, anna, bob, extensionOf } = scene
  const carol = await hire(company, 'Carol', CAROL_HZ)
  const customer = await customerFor(scene, anna)
  await anna.rings()
  const code = `**${extensionOf(anna)}`
  const phones = await Promise.all([bob.dial(code), carol.dial(code)])
  const outcomes = await Promise.all(
    phones.map((phone) =>
      Promise.race([phone.answered().then(() => 'answered'), phone.ended().then(({ why }) => why)]),
    ),
  )
  expect(outcomes.toSorted()).toEqual(['answered', 'refused'])
  await customer.hears(outcomes[0] === 'answered' ? BOB_HZ : CAROL_HZ)
  const { employees } = await callIs(company, 'bridged')
  expect(employees).toHaveLength(1)
  const loser = outcomes[0] === 'answered' ? carol : bob
  expect((await loser.api.get('/calls/active')).status).toBe(204)
})

test('a call is picked up with the API: the phones of that employee ring too, and whoever answers first has it', async () => {
  const scene = await office()
  const { company, anna, bob } = scene
  const customer = await customerFor(scene, anna)
  const annasPhone = await anna.rings()
  const { id } = await callIs(company, 'queued')
  expect((await bob.api.post(`/calls/${id}/pickup`)).status).toBe(204)
  const declined = await bob.rings()
  expect((await bob.api.post(`/calls/${id}/pickup`)).status).toBe(204)
  declined.decline()
  await eventually(async () => {
    const { employees } = (await company.api.get('/employees')).body
    expect(employees.find((one: { id: string }) => one.id === bob.id).status).toBe('available')
  })
  expect((await bob.api.post(`/calls/${id}/pickup`)).status).toBe(204)
  const bobsPhone = await bob.rings()
  await bobsPhone.answer()
  await Promise.all([customer.hears(BOB_HZ), bobsPhone.hears(CUSTOMER_HZ)])
  expect(await annasPhone.ended()).toEqual({ why: 'cancelled', elsewhere: true })
  expect((await callIs(company, 'bridged')).id).toBe(id)
})

test('a call cannot be picked up for each reason, with its status', async () => {
  const scene = await office()
  const { company, anna, bob } = scene
  const other = await office()
  const customer = await customerFor(scene, anna)
  await anna.rings()
  const { id } = await callIs(company, 'queued')
  const path = `/calls/${id}/pickup`
  expect(await other.bob.api.post(path)).toMatchObject({ status: 404 })
  expect(await (await other.bob.dial('*8')).ended()).toMatchObject({ why: 'refused', status: 480 })
  expect(await (await bob.dial('**99999')).ended()).toMatchObject({ why: 'refused', status: 404 })
  const unavailable = { status: 409, body: { error: 'employee_unavailable' } }
  expect(await company.api.post(path)).toMatchObject(unavailable)
  await bob.api.put(`/employees/${bob.id}/do_not_disturb`, { enabled: true })
  expect(await bob.api.post(path)).toMatchObject(unavailable)
  // Whoever dials the code is there, and wants the call.
  const bobsPhone = await bob.dial('*8')
  await bobsPhone.answered()
  await customer.hears(BOB_HZ)
  await callIs(company, 'bridged')
  expect(await anna.api.post(path)).toMatchObject({ status: 409, body: { error: 'call_not_queued' } })
})
