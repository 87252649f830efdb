import { expect, test } from 'vitest'

import { callIs, eventually } from '../harness/calls/call-events.ts'
import { startConversation } from '../harness/calls/conversation.ts'
import { openPhoneSystem } from '../harness/calls/phone-system.ts'
import { expectNoLiveRows } from '../harness/processes/no-live-rows.ts'
import { transferWith } from '../harness/sip/transfer-with.ts'
import { channelsOf, findTonePair } from '../harness/sound/audio-analysis.ts'
import { hearsBeep, hearsMusic } from '../harness/sound/hears-all.ts'

const phoneSystem = await openPhoneSystem()
const { bellhop, hire, edge } = phoneSystem

const CUSTOMER_HZ = 440
const ANNA_HZ = 700
const BOB_HZ = 800
const uriOf = (user: string) => `sip:${user}@127.0.0.1:${edge.port}`
const PARKED_MS = 3 * 60_000
const RING_MS = 30_000

type Scene = Awaited<ReturnType<typeof startConversation>>

const statusOf = async ({ company }: Scene, { id }: { id: string }) => {
  const { employees } = (await company.api.get('/employees')).body
  return employees.find((one: { id: string }) => one.id === id).status
}

const parkedCalls = async ({ company }: Scene) => (await company.api.get('/calls/parked')).body.parked_calls

/** Anna has parked her customer in slot 71. */
async function parked(ofNumber: Record<string, unknown> = {}) {
  const scene = await startConversation(phoneSystem, ofNumber)
  const { anna, call, customer, annasPhone } = scene
  const reply = await anna.api.post(`/calls/${call.id}/park`, {})
  expect(reply).toMatchObject({
    status: 200,
    body: { parked_call: { call_id: call.id, slot: 71, code: '*71', parked_by: { name: 'Anna' } } },
  })
  expect(await annasPhone.ended()).toEqual({ why: 'hungUp', by: 'peer' })
  await hearsMusic(customer, ANNA_HZ, BOB_HZ)
  return scene
}

/** Anna's phones ring for the customer whom she parked. */
async function recalled(scene: Scene) {
  await eventually(async () => expect(await statusOf(scene, scene.anna)).toBe('available'))
  bellhop.clock.advance(PARKED_MS)
  return scene.anna.rings()
}

async function isNotRung(scene: Scene) {
  await eventually(async () => expect(await statusOf(scene, scene.anna)).toBe('available'))
}

test('a parked customer hears music, and is taken at another phone by the code: one call, one recording', async () => {
  const scene = await parked({ recording_enabled: true })
  const { company, anna, bob, call, customer } = scene
  expect(await parkedCalls(scene)).toEqual([
    {
      call_id: call.id,
      slot: 71,
      code: '*71',
      phone_number: '+4520112233',
      contact_name: null,
      parked_by: { id: anna.id, name: 'Anna' },
      parked_at: expect.any(String),
    },
  ])
  await callIs(company, 'answered')
  expect((await anna.api.get('/calls/active')).status).toBe(204)
  expect(await statusOf(scene, anna)).toBe('available')
  const bobsPhone = await bob.dial('*71')
  await bobsPhone.answered()
  await Promise.all([customer.hears(BOB_HZ), bobsPhone.hears(CUSTOMER_HZ)])
  expect((await callIs(company, 'bridged')).id).toBe(call.id)
  expect((await bob.api.get('/calls/active')).body.call.id).toBe(call.id)
  expect(await parkedCalls(scene)).toEqual([])
  customer.hangUp()
  const ended = await callIs(company, 'ended')
  expect(ended.employees.map(({ name }: { name: string }) => name)).toEqual(['Anna', 'Bob'])
  const [left, right] = channelsOf(Buffer.from(await (await fetch(ended.recording_url)).arrayBuffer()))
  const withAnna = findTonePair(left!, CUSTOMER_HZ, right!, ANNA_HZ)
  expect(withAnna).toBeGreaterThanOrEqual(0)
  expect(findTonePair(left!, CUSTOMER_HZ, right!, BOB_HZ)).toBeGreaterThan(withAnna)
  await expectNoLiveRows(bellhop)
})

test('a parked call is taken with the API: the phones of that employee ring', async () => {
  const scene = await parked()
  const { company, bob, call, customer } = scene
  const path = `/calls/${call.id}/retrieve`
  expect((await bob.api.post(path)).status).toBe(204)
  const declined = await bob.rings()
  expect(await statusOf(scene, bob)).toBe('on_call')
  declined.decline()
  await eventually(async () => expect(await statusOf(scene, bob)).toBe('available'))
  expect(await parkedCalls(scene)).toHaveLength(1)
  expect((await bob.api.post(path)).status).toBe(204)
  const bobsPhone = await bob.rings()
  await bobsPhone.answer()
  await Promise.all([customer.hears(BOB_HZ), bobsPhone.hears(CUSTOMER_HZ)])
  await callIs(company, 'bridged')
  expect(await bob.api.post(path)).toMatchObject({ status: 409, body: { error: 'call_not_parked' } })
})

test('the phones of who parked the call ring after three minutes, and whoever is faster has it', async () => {
  const scene = await parked()
  const { company, anna, bob, call, customer } = scene
  const annasPhone = await recalled(scene)
  await hearsMusic(customer, ANNA_HZ, BOB_HZ)
  const bobsPhone = await bob.dial('*71')
  await bobsPhone.answered()
  expect(await annasPhone.ended()).toEqual({ why: 'cancelled', elsewhere: true })
  await Promise.all([customer.hears(BOB_HZ), bobsPhone.hears(CUSTOMER_HZ)])
  await eventually(async () => expect(await statusOf(scene, anna)).toBe('available'))

  expect((await bob.api.post(`/calls/${call.id}/park`, { slot: 75 })).body.parked_call.slot).toBe(75)
  await eventually(async () => expect(await statusOf(scene, bob)).toBe('available'))
  bellhop.clock.advance(PARKED_MS)
  const again = await bob.rings()
  await again.answer()
  await Promise.all([customer.hears(BOB_HZ), again.hears(CUSTOMER_HZ)])
  await callIs(company, 'bridged')
})

test('a call that nobody takes rings its employee ten times, and then ends', async () => {
  const scene = await parked()
  const { company, customer } = scene
  for (let i = 0; i < 10; i++) {
    const phone = await recalled(scene)
    if (i % 2 === 0) phone.decline()
    else bellhop.clock.advance(RING_MS)
    await phone.ended()
    await isNotRung(scene)
    expect(await parkedCalls(scene)).toHaveLength(1)
  }
  bellhop.clock.advance(PARKED_MS)
  await customer.ended()
  await callIs(company, 'ended')
  const [row] = await bellhop.db.sql`
    select end_reason from calls where company_id = ${company.companyId}`
  expect(row).toEqual({ end_reason: 'not_retrieved' })
  expect(await parkedCalls(scene)).toEqual([])
})

test('who parked the call and is on another one is not rung meanwhile', async () => {
  const scene = await parked()
  const { anna, bob, customer } = scene
  const { extensions } = (await scene.company.api.get('/extensions')).body
  const { extension } = extensions.find((one: { employee_id: string }) => one.employee_id === bob.id)
  const internal = await anna.dial(extension)
  const bobsPhone = await bob.rings()
  await bobsPhone.answer()
  await internal.answered()
  await internal.hears(BOB_HZ)
  bellhop.clock.advance(PARKED_MS)
  await hearsMusic(customer, ANNA_HZ, BOB_HZ)
  expect(anna.unanswered()).toBe(0)
  expect(await (await anna.dial('*71')).ended()).toMatchObject({ why: 'refused', status: 486 })
  internal.hangUp()
  const rings = await recalled(scene)
  await rings.answer()
  await customer.hears(ANNA_HZ)
})

test('a phone parks its call by transferring it to a slot', async () => {
  const scene = await startConversation(phoneSystem)
  const { company, bob, annasPhone, customer } = scene
  expect((await annasPhone.hold()).ok).toBe(true)
  const { status, outcome } = await transferWith(annasPhone.call, uriOf('*73'))
  expect(status).toBe(202)
  expect(await outcome()).toBe(200)
  await annasPhone.ended()
  await hearsMusic(customer, ANNA_HZ, BOB_HZ)
  await callIs(company, 'answered')
  const bobsPhone = await bob.dial('*73')
  await bobsPhone.answered()
  await Promise.all([customer.hears(BOB_HZ), bobsPhone.hears(CUSTOMER_HZ)])
})

test('a phone parks its call by dialling an empty slot while the customer is on hold', async () => {
  const scene = await startConversation(phoneSystem)
  const { anna, bob, annasPhone, customer } = scene
  expect((await annasPhone.hold()).ok).toBe(true)
  const second = await anna.dial('*74')
  await second.answered()
  await hearsBeep(second)
  expect(await second.ended()).toEqual({ why: 'hungUp', by: 'peer' })
  await annasPhone.ended()
  await hearsMusic(customer, ANNA_HZ, BOB_HZ)
  expect(await parkedCalls(scene)).toMatchObject([{ slot: 74 }])
  expect(await (await bob.dial('*75')).ended()).toMatchObject({ why: 'refused', status: 404 })
  const bobsPhone = await bob.dial('*74')
  await bobsPhone.answered()
  await customer.hears(BOB_HZ)
})

test('two phones take a parked call: one of them gets it', async () => {
  const scene = await parked()
  const { company, anna, bob, customer } = scene
  const phones = await Promise.all([anna.dial('*71'), bob.dial('*71')])
  const outcomes = await Promise.all(
    phones.map((phone) =>
      Promise.race([phone.answered().then(() => 'answered'), phone.ended().then(({ why }) => why)]),
    ),
  )
  expect(outcomes.toSorted()).toEqual(['answered', 'refused'])
  await customer.hears(outcomes[0] === 'answered' ? ANNA_HZ : BOB_HZ)
  await callIs(company, 'bridged')
})

test('a customer who hangs up while parked leaves the slot', async () => {
  const scene = await parked()
  const { company, customer } = scene
  customer.hangUp()
  await callIs(company, 'ended')
  expect(await parkedCalls(scene)).toEqual([])
  await expectNoLiveRows(bellhop)
})

test('parking and taking are refused for each reason with its status', async () => {
  const scene = await startConversation(phoneSystem)
  const { company, anna, bob, annasPhone, customer, call } = scene
  const park = `/calls/${call.id}/park`
  const other = await bellhop.newCompany()
  expect(await other.api.post(park, {})).toMatchObject({ status: 404 })
  expect(await bob.api.post(park, {})).toMatchObject({ status: 403, body: { error: 'not_call_controller' } })
  expect(await anna.api.post(park, { slot: 80 })).toMatchObject({ status: 422 })
  const notParked = { status: 409, body: { error: 'call_not_parked' } }
  expect(await bob.api.post(`/calls/${call.id}/retrieve`)).toMatchObject(notParked)
  const transfer = await anna.api.post(`/calls/${call.id}/transfers`, { employee_id: bob.id })
  await bob.rings()
  expect(await anna.api.post(park, {})).toMatchObject({
    status: 409,
    body: { error: 'transfer_in_progress' },
  })
  expect((await transferWith(annasPhone.call, uriOf('*71'))).status).toBe(491)
  await anna.api.delete(`/calls/${call.id}/transfers/${transfer.body.transfer.id}`)
  await callIs(company, 'bridged')

  const carol = await hire(company, 'Carol', 900)
  const second = await carol.dial('+4520998877')
  const callee = await phoneSystem.callee()
  await callee.answer()
  await second.answered()
  await callIs(company, 'bridged')
  const own = (await carol.api.get('/calls/active')).body.call
  expect((await carol.api.post(`/calls/${own.id}/park`, { slot: 72 })).status).toBe(200)
  const taken = { status: 409, body: { error: 'parking_slot_taken' } }
  expect(await anna.api.post(park, { slot: 72 })).toMatchObject(taken)
  expect((await transferWith(annasPhone.call, uriOf('*72'))).status).toBe(486)
  expect(await (await anna.dial('*72')).ended()).toMatchObject({ why: 'refused', status: 486 })
  expect(await other.api.post(`/calls/${own.id}/retrieve`)).toMatchObject({ status: 404 })
  expect(await anna.api.post(`/calls/${own.id}/retrieve`)).toMatchObject({
    status: 409,
    body: { error: 'employee_unavailable' },
  })
  customer.hangUp()
  await annasPhone.ended()
  await eventually(async () =>
    expect(await anna.api.post(park, {})).toMatchObject({ status: 409, body: { error: 'call_not_active' } }),
  )
})
