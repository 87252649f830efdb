import { expect, test } from 'vitest'

import { callIs, eventually } from '../harness/calls/call-events.ts'
import { startConversation } from '../harness/calls/conversation.ts'
import { openPhoneSystem } from '../harness/calls/phone-system.ts'
import { hearsAll, hearsMusic, wasRecordedTogether } from '../harness/sound/hears-all.ts'

const phoneSystem = await openPhoneSystem()
const { bellhop, hire } = phoneSystem

const CUSTOMER_HZ = 440
const ANNA_HZ = 700
const BOB_HZ = 800

/** Anna consults Bob. */
async function consultation(ofNumber: Record<string, unknown> = {}) {
  const scene = await startConversation(phoneSystem, ofNumber)
  const { anna, bob, call, annasPhone } = scene
  const start = await anna.api.post(`/calls/${call.id}/transfers`, { employee_id: bob.id })
  const bobsPhone = await bob.rings()
  await bobsPhone.answer()
  await Promise.all([annasPhone.hears(BOB_HZ), bobsPhone.hears(ANNA_HZ)])
  await eventually(async () =>
    expect((await anna.api.get('/calls/active')).body.transfer.state).toBe('consulting'),
  )
  const id = start.body.transfer.id as string
  return { ...scene, bobsPhone, id, transfer: `/calls/${call.id}/transfers/${id}` }
}

type Scene = Awaited<ReturnType<typeof consultation>>

async function threeWay(ofNumber: Record<string, unknown> = {}) {
  const scene = await consultation(ofNumber)
  const merged = await scene.anna.api.post(`/calls/${scene.call.id}/conference`)
  expect(merged).toMatchObject({
    status: 200,
    body: { transfer: { id: scene.id, state: 'consulting', to_employee: { name: 'Bob' } } },
  })
  await everybodyHears(scene)
  return scene
}

const everybodyHears = ({ customer, annasPhone, bobsPhone }: Scene) =>
  Promise.all([
    hearsAll(customer, ANNA_HZ, BOB_HZ),
    hearsAll(annasPhone, CUSTOMER_HZ, BOB_HZ),
    hearsAll(bobsPhone, CUSTOMER_HZ, ANNA_HZ),
  ])

test('a coworker who is consulted is merged into the call: everybody hears everybody, and it is recorded', async () => {
  const scene = await threeWay({ recording_enabled: true })
  const { company, anna, bob, customer, annasPhone, bobsPhone, call } = scene
  for (const { api } of [anna, bob])
    expect((await api.get('/calls/active')).body).toMatchObject({
      call: { id: call.id, state: 'bridged' },
      transfer: { state: 'consulting' },
    })
  expect((await anna.api.post(`/calls/${call.id}/conference`)).status).toBe(200)
  await everybodyHears(scene)
  customer.hangUp()
  await Promise.all([annasPhone.ended(), bobsPhone.ended()])
  const ended = await callIs(company, 'ended')
  expect(ended.id).toBe(call.id)
  expect(ended.employees.map(({ name }: { name: string }) => name)).toEqual(['Anna', 'Bob'])
  expect((await anna.api.post(`${scene.transfer}/completion`)).body.error).toBe('transfer_not_open')
  expect(await wasRecordedTogether(ended.recording_url, CUSTOMER_HZ, ANNA_HZ, BOB_HZ)).toBe(true)
})

test('the coworker hangs up: the controller keeps the customer', async () => {
  const { company, anna, bob, customer, annasPhone, bobsPhone, transfer } = await threeWay()
  bobsPhone.hangUp()
  await Promise.all([customer.hears(ANNA_HZ), annasPhone.hears(CUSTOMER_HZ)])
  await eventually(async () => expect((await bob.api.get('/calls/active')).status).toBe(204))
  expect((await anna.api.delete(transfer)).body.transfer.state).toBe('cancelled')
  await callIs(company, 'bridged')
})

test('the controller hangs up: the coworker controls the call', async () => {
  const { company, anna, bob, customer, annasPhone, bobsPhone, call, transfer } = await threeWay()
  annasPhone.hangUp()
  await Promise.all([customer.hears(BOB_HZ), bobsPhone.hears(CUSTOMER_HZ)])
  await eventually(async () => expect((await anna.api.get('/calls/active')).status).toBe(204))
  expect((await bob.api.get('/calls/active')).body).toMatchObject({
    call: { state: 'bridged' },
    transfer: null,
  })
  expect((await bob.api.post(`${transfer}/completion`)).body.transfer.state).toBe('completed')
  const carol = await hire(company, 'Carol', 900)
  expect((await bob.api.post(`/calls/${call.id}/transfers`, { employee_id: carol.id })).status).toBe(201)
  await carol.rings()
})

test.each([
  ['completes', 'Bob'],
  ['cancels', 'Anna'],
])('the controller %s the transfer: the customer stays with %s', async (how, who) => {
  const { anna, customer, annasPhone, bobsPhone, transfer } = await threeWay()
  const reply =
    how === 'completes' ? await anna.api.post(`${transfer}/completion`) : await anna.api.delete(transfer)
  expect(reply.status).toBe(200)
  const [stays, leaves, hz] =
    who === 'Bob' ? [bobsPhone, annasPhone, BOB_HZ] : [annasPhone, bobsPhone, ANNA_HZ]
  await leaves.ended()
  await Promise.all([customer.hears(hz), stays.hears(CUSTOMER_HZ)])
})

test('whoever holds hears nobody meanwhile, and the others go on; the customer hears music if both do', async () => {
  const scene = await threeWay()
  const { customer, annasPhone, bobsPhone } = scene
  expect((await annasPhone.hold()).ok).toBe(true)
  await Promise.all([customer.hears(BOB_HZ), bobsPhone.hears(CUSTOMER_HZ)])
  expect((await bobsPhone.hold()).ok).toBe(true)
  await hearsMusic(customer, ANNA_HZ, BOB_HZ)
  expect((await bobsPhone.resume()).ok).toBe(true)
  expect((await annasPhone.resume()).ok).toBe(true)
  await everybodyHears(scene)
})

test('the customer gets the digits that either employee presses', async () => {
  const { customer, annasPhone, bobsPhone } = await threeWay()
  const gets = async (digits: string) => {
    const got = await customer.until(`the digits ${digits}`, () => {
      const events = customer.heard.filter(({ packet }) => packet.header.payloadType === 101)
      const distinct = new Map(events.map(({ packet }) => [packet.header.timestamp, packet.payload[0]]))
      return distinct.size >= digits.length && [...distinct.values()]
    })
    expect(got.join('')).toBe(digits)
  }
  annasPhone.press('42')
  await gets('42')
  bobsPhone.press('7')
  await gets('427')
  await Promise.all([hearsAll(customer, ANNA_HZ, BOB_HZ), hearsAll(bobsPhone, CUSTOMER_HZ, ANNA_HZ)])
})

test('a page that is reloaded rejoins the three-way call', async () => {
  const { anna, bob, customer, annasPhone, bobsPhone, call } = await threeWay()
  const annasNext = await anna.dial('rejoin', { 'x-bellhop-call': call.id })
  await annasNext.answered()
  await annasPhone.ended()
  const bobsNext = await bob.dial('rejoin', { 'x-bellhop-call': call.id })
  await bobsNext.answered()
  await bobsPhone.ended()
  await Promise.all([
    hearsAll(customer, ANNA_HZ, BOB_HZ),
    hearsAll(annasNext, CUSTOMER_HZ, BOB_HZ),
    hearsAll(bobsNext, CUSTOMER_HZ, ANNA_HZ),
  ])
})

test('a three-way call is refused for each reason with its status', async () => {
  const { company, anna, bob, customer, call } = await startConversation(phoneSystem)
  const path = `/calls/${call.id}/conference`
  const other = await bellhop.newCompany()
  expect(await other.api.post(path)).toMatchObject({ status: 404 })
  expect(await bob.api.post(path)).toMatchObject({ status: 403, body: { error: 'not_call_controller' } })
  const notConsulting = { status: 409, body: { error: 'transfer_not_consulting' } }
  expect(await anna.api.post(path)).toMatchObject(notConsulting)
  await anna.api.post(`/calls/${call.id}/transfers`, { employee_id: bob.id })
  await bob.rings()
  expect(await anna.api.post(path)).toMatchObject(notConsulting)
  customer.hangUp()
  await callIs(company, 'ended')
  expect(await anna.api.post(path)).toMatchObject({ status: 409, body: { error: 'call_not_active' } })
})
