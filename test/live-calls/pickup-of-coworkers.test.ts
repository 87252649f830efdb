import { afterAll, expect, test } from 'vitest'

import { startEdge } from '../../server/roles/edge.ts'
import { callIs, eventually } from '../harness/calls/call-events.ts'
import { startConversation } from '../harness/calls/conversation.ts'
import { type Employee, openPhoneSystem } from '../harness/calls/phone-system.ts'
import type { TestCompany } from '../harness/index.ts'
import { expectNoLiveRows } from '../harness/processes/no-live-rows.ts'
import { transferWith } from '../harness/sip/transfer-with.ts'

const phoneSystem = await openPhoneSystem()
const { bellhop, hire, hireAt, edge } = phoneSystem
const second = await startEdge(bellhop.parts)
afterAll(() => second.stop())

const CUSTOMER_HZ = 440
const ANNA_HZ = 700
const CAROL_HZ = 900

async function extensionOf(company: TestCompany, { id }: { id: string }): Promise<string> {
  const { extensions } = (await company.api.get('/extensions')).body
  return extensions.find((one: { employee_id: string }) => one.employee_id === id).extension
}

const codeFor = async (company: TestCompany, employee: Employee) =>
  `**${await extensionOf(company, employee)}`

const statuses = async (company: TestCompany) => {
  const { employees } = (await company.api.get('/employees')).body
  return Object.fromEntries(
    employees.map(({ name, status }: { name: string; status: string }) => [name, status]),
  )
}

/** Anna calls Bob, whose phone rings; Carol's phone is at the same edge or at another. */
async function ringingBob(hireCarol = hire) {
  const company = await bellhop.newCompany()
  const [anna, bob] = [await hire(company, 'Anna', ANNA_HZ), await hire(company, 'Bob', 800)]
  const carol = await hireCarol(company, 'Carol', CAROL_HZ)
  const annasPhone = await anna.dial(await extensionOf(company, bob))
  const bobsPhone = await bob.rings()
  return { company, anna, bob, carol, annasPhone, bobsPhone }
}

test('a phone picks up the call of a coworker to another one, at the same edge or at another', async () => {
  for (const hireCarol of [hire, hireAt(second.port)]) {
    const { company, bob, carol, annasPhone, bobsPhone } = await ringingBob(hireCarol)
    const picked = await carol.dial(await codeFor(company, bob))
    await Promise.all([picked.answered(), annasPhone.answered()])
    await Promise.all([picked.hears(ANNA_HZ), annasPhone.hears(CAROL_HZ)])
    expect(await bobsPhone.ended()).toEqual({ why: 'cancelled', elsewhere: true })
    await eventually(async () =>
      expect(await statuses(company)).toMatchObject({
        Anna: 'on_call',
        Bob: 'available',
        Carol: 'on_call',
      }),
    )
    const { calls } = (await company.api.get('/calls?direction=internal')).body
    expect(calls).toMatchObject([
      {
        from_employee: { name: 'Anna' },
        to_employee: { name: 'Carol' },
        to: await extensionOf(company, bob),
        state: 'answered',
      },
    ])
    annasPhone.hangUp()
    await picked.ended()
    await expectNoLiveRows(bellhop)
  }
})

test('*8 picks up the call of a coworker too, of two phones one gets it, and who is on a call gets none', async () => {
  const { company, anna, carol, annasPhone, bobsPhone } = await ringingBob()
  const dave = await hire(company, 'Dave', 1_000)
  const busy = await anna.dial('*8')
  expect(await busy.ended()).toMatchObject({ why: 'refused', status: 486 })
  const phones = await Promise.all([carol.dial('*8'), dave.dial('*8')])
  const outcomes = await Promise.all(
    phones.map((phone) =>
      Promise.race([phone.answered().then(() => 'answered'), phone.ended().then(({ why }) => why)]),
    ),
  )
  expect(outcomes.toSorted()).toEqual(['answered', 'refused'])
  await annasPhone.answered()
  await annasPhone.hears(outcomes[0] === 'answered' ? CAROL_HZ : 1_000)
  await bobsPhone.ended()
  expect(await (await dave.dial('**99999')).ended()).toMatchObject({ why: 'refused', status: 404 })
})

/** Anna transfers a customer to Bob, whose phone rings. */
async function transferToBob(how: 'blind' | 'consulting', hireCarol = hire) {
  const scene = await startConversation(phoneSystem, { recording_enabled: true })
  const { company, anna, bob, annasPhone, call } = scene
  const carol = await hireCarol(company, 'Carol', CAROL_HZ)
  const outcome = await (how === 'blind'
    ? transferWith(annasPhone.call, `sip:${await extensionOf(company, bob)}@127.0.0.1:${edge.port}`)
    : anna.api.post(`/calls/${call.id}/transfers`, { employee_id: bob.id }))
  expect(outcome.status).toBe(how === 'blind' ? 202 : 201)
  return { ...scene, carol, bobsPhone: await bob.rings() }
}

test('a phone picks up a blind transfer to a coworker: the customer is theirs, at the same edge or at another', async () => {
  for (const hireCarol of [hire, hireAt(second.port)]) {
    const { company, bob, carol, customer, annasPhone, bobsPhone, call } = await transferToBob(
      'blind',
      hireCarol,
    )
    const picked = await carol.dial(await codeFor(company, bob))
    await picked.answered()
    await Promise.all([customer.hears(CAROL_HZ), picked.hears(CUSTOMER_HZ)])
    await annasPhone.ended()
    expect(await bobsPhone.ended()).toEqual({ why: 'cancelled', elsewhere: true })
    await eventually(async () =>
      expect(await statuses(company)).toMatchObject({
        Anna: 'available',
        Bob: 'available',
        Carol: 'on_call',
      }),
    )
    expect((await carol.api.get('/calls/active')).body).toMatchObject({
      call: { id: call.id, state: 'bridged' },
      transfer: null,
    })
    picked.hangUp()
    await customer.ended()
    const { employees } = await callIs(company, 'ended')
    expect(employees.map(({ name }: { name: string }) => name)).toEqual(['Anna', 'Carol'])
    await expectNoLiveRows(bellhop)
  }
})

test('a phone picks up a transfer with consultation: the controller talks to them, and completes it', async () => {
  const { company, anna, bob, carol, customer, annasPhone, bobsPhone, call } =
    await transferToBob('consulting')
  expect(await anna.api.post(`/calls/${call.id}/pickup`)).toMatchObject({
    status: 409,
    body: { error: 'call_not_queued' },
  })
  const own = await anna.dial(await codeFor(company, bob))
  expect(await own.ended()).toMatchObject({ why: 'refused', status: 486 })
  const picked = await carol.dial(await codeFor(company, bob))
  await picked.answered()
  await Promise.all([annasPhone.hears(CAROL_HZ), picked.hears(ANNA_HZ)])
  await bobsPhone.ended()
  const { transfer } = await eventually(async () => {
    const { body } = await anna.api.get('/calls/active')
    expect(body.transfer).toMatchObject({ state: 'consulting', to_employee: { name: 'Carol' } })
    return body
  })
  expect((await anna.api.post(`/calls/${call.id}/transfers/${transfer.id}/completion`)).status).toBe(200)
  await Promise.all([customer.hears(CAROL_HZ), picked.hears(CUSTOMER_HZ)])
  await annasPhone.ended()
  expect(await statuses(company)).toMatchObject({ Bob: 'available', Carol: 'on_call' })
})

test('a call that the coworker has just answered cannot be picked up', async () => {
  const { company, bob, carol, annasPhone, bobsPhone } = await ringingBob()
  await bobsPhone.answer()
  await annasPhone.answered()
  await annasPhone.hears(800)
  const late = await carol.dial(await codeFor(company, bob))
  expect(await late.ended()).toMatchObject({ why: 'refused', status: 480 })
})
