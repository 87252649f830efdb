import { afterAll, expect, test } from 'vitest'

import { startEdge } from '../../server/roles/edge.ts'
import { callIs, eventually } from '../harness/calls/call-events.ts'
import { numberWith, openPhoneSystem } from '../harness/calls/phone-system.ts'
import type { TestCompany } from '../harness/index.ts'
import { expectNoLiveRows } from '../harness/processes/no-live-rows.ts'
import { joining, replacesOf } from '../harness/sip/replaces.ts'
import { transferWith } from '../harness/sip/transfer-with.ts'
import { hearsBeep, hearsMusic } from '../harness/sound/hears-all.ts'

const phoneSystem = await openPhoneSystem()
const { bellhop, dial, hire } = phoneSystem
const second = await startEdge(bellhop.parts)
afterAll(() => second.stop())

const CUSTOMER_HZ = 440
const ANNA_HZ = 700
const BOB_HZ = 800
const CAROL_HZ = 900

async function extensionOf(company: TestCompany, { id }: { id: string }): Promise<string> {
  const { extensions } = (await company.api.get('/extensions')).body
  return extensions.find((one: { employee_id: string }) => one.employee_id === id).extension
}

/** A customer and Anna's phone, which rings, are at one edge, and Bob's phone is at the other. */
async function scene() {
  const company = await bellhop.newCompany()
  const anna = await hire(company, 'Anna', ANNA_HZ)
  const bob = await phoneSystem.hireAt(second.port)(company, 'Bob', BOB_HZ)
  const { number } = await numberWith(bellhop, company, { type: 'TransferConfig', employee_ids: [anna.id] })
  const customer = await dial(number)
  await customer.connected()
  const code = `**${await extensionOf(company, anna)}`
  return { company, anna, bob, customer, rings: await anna.rings(), code }
}

test('a phone picks up, holds and parks a call of another edge, and takes it again', async () => {
  const { company, anna, bob, customer, rings, code } = await scene()
  const phone = await bob.dial(code)
  await phone.answered()
  await Promise.all([customer.hears(BOB_HZ), phone.hears(CUSTOMER_HZ)])
  expect(await rings.ended()).toEqual({ why: 'cancelled', elsewhere: true })
  const { id } = await callIs(company, 'bridged')
  expect((await phone.hold()).ok).toBe(true)
  await hearsMusic(customer, ANNA_HZ, BOB_HZ)
  expect((await phone.resume()).ok).toBe(true)
  await Promise.all([customer.hears(BOB_HZ), phone.hears(CUSTOMER_HZ)])

  const { status, outcome } = await transferWith(phone.call, `sip:*73@127.0.0.1:${second.port}`)
  expect(status).toBe(202)
  expect(await outcome()).toBe(200)
  await phone.ended()
  await hearsMusic(customer, ANNA_HZ, BOB_HZ)
  const taken = await bob.dial('*73')
  await taken.answered()
  await Promise.all([customer.hears(BOB_HZ), taken.hears(CUSTOMER_HZ)])
  await callIs(company, 'bridged')

  expect((await taken.hold()).ok).toBe(true)
  const parking = await bob.dial('*74')
  await parking.answered()
  await hearsBeep(parking)
  await Promise.all([parking.ended(), taken.ended()])
  const annasPhone = await anna.dial('*74')
  await annasPhone.answered()
  await Promise.all([customer.hears(ANNA_HZ), annasPhone.hears(CUSTOMER_HZ)])
  expect(await callIs(company, 'bridged')).toMatchObject({ id })
  customer.hangUp()
  await annasPhone.ended()
  const { employees } = await callIs(company, 'ended')
  expect(employees.map(({ name }: { name: string }) => name).toSorted()).toEqual(['Anna', 'Bob'])
  await expectNoLiveRows(bellhop)
})

test('a phone at another edge is refused for the same reasons', async () => {
  const { company, bob, customer, rings, code } = await scene()
  expect(await (await bob.dial('**99999')).ended()).toMatchObject({ why: 'refused', status: 404 })
  await rings.answer()
  await customer.hears(ANNA_HZ)
  await callIs(company, 'bridged')
  expect(await (await bob.dial(code)).ended()).toMatchObject({ why: 'refused', status: 480 })
})

test('a phone that picked up a call of another edge joins the customer with a coworker, by a REFER in either call', async () => {
  for (const refersIn of ['customer', 'internal'] as const) {
    const { company, bob, customer, code } = await scene()
    const carol = await hire(company, 'Carol', CAROL_HZ)
    const phone = await bob.dial(code)
    await phone.answered()
    await customer.hears(BOB_HZ)
    const { id } = await callIs(company, 'bridged')
    expect((await phone.hold()).ok).toBe(true)
    const inquiry = await bob.dial(await extensionOf(company, carol))
    const carolsPhone = await carol.rings()
    await carolsPhone.answer()
    await inquiry.answered()
    await Promise.all([inquiry.hears(CAROL_HZ), carolsPhone.hears(BOB_HZ)])

    const [own, named] = refersIn === 'customer' ? [phone, inquiry] : [inquiry, phone]
    const uri = `sip:${carol.device.username}@127.0.0.1:${second.port}`
    const { status, outcome } = await transferWith(own.call, joining(uri, replacesOf(bob.trace, named.call)))
    expect(status).toBe(202)
    expect(await outcome()).toBe(200)
    await eventually(() => expect([phone.call.isOver, inquiry.call.isOver]).toEqual([true, true]))
    await Promise.all([customer.hears(CAROL_HZ), carolsPhone.hears(CUSTOMER_HZ)])
    expect(await callIs(company, 'bridged')).toMatchObject({ id })
    expect((await bob.api.get('/calls/active')).status).toBe(204)
    carolsPhone.hangUp()
    await customer.ended()
    const { employees } = await callIs(company, 'ended')
    expect(employees.map(({ name }: { name: string }) => name)).toEqual(['Bob', 'Carol'])
    await expectNoLiveRows(bellhop)
  }
})
