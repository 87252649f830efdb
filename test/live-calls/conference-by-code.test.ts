import { expect, onTestFinished, test } from 'vitest'

import { startEdge } from '../../server/roles/edge.ts'
import { callIs, eventually } from '../harness/calls/call-events.ts'
import { startConversation } from '../harness/calls/conversation.ts'
import { employeeWithLinphone } from '../harness/calls/linphone-employee.ts'
import { type Employee, numberWith, openPhoneSystem } from '../harness/calls/phone-system.ts'
import type { TestCompany } from '../harness/index.ts'
import { expectNoLiveRows } from '../harness/processes/no-live-rows.ts'
import { hearsAll, hearsBeep, hearsMusic, wasRecordedTogether } from '../harness/sound/hears-all.ts'
import type { RtpPhone } from '../harness/sound/rtp-phone.ts'

const phoneSystem = await openPhoneSystem()
const { bellhop, dial, hire, hireAt, callee } = phoneSystem

const CODE = '*3'
const CUSTOMER_HZ = 440
const CALLED_HZ = 500
const ANNA_HZ = 700
const BOB_HZ = 800

async function extensionOf(company: TestCompany, { id }: { id: string }): Promise<string> {
  const { extensions } = (await company.api.get('/extensions')).body
  return extensions.find((one: { employee_id: string }) => one.employee_id === id).extension
}

const internalEnds = async ({ companyId }: TestCompany) => {
  const rows = await bellhop.db.sql<{ state: string; end_reason: string | null }[]>`
    select state, end_reason from internal_calls where company_id = ${companyId}`
  return rows.map(({ state, end_reason }) => end_reason ?? state)
}

const transferStates = async ({ companyId }: TestCompany) => {
  const rows = await bellhop.db.sql<{ state: string }[]>`
    select state from transfers where company_id = ${companyId} order by id`
  return rows.map(({ state }) => state)
}

/** Anna has a customer on hold, and talks to Bob, whom her phone has called. */
async function consultation(ofNumber: Record<string, unknown> = {}) {
  const scene = await startConversation(phoneSystem, ofNumber)
  const { company, anna, bob, customer, annasPhone } = scene
  expect((await annasPhone.hold()).ok).toBe(true)
  await hearsMusic(customer, ANNA_HZ, BOB_HZ)
  const inquiry = await anna.dial(await extensionOf(company, bob))
  const bobsPhone = await bob.rings()
  await bobsPhone.answer()
  await inquiry.answered()
  await Promise.all([inquiry.hears(BOB_HZ), bobsPhone.hears(ANNA_HZ)])
  return { ...scene, inquiry, bobsPhone }
}

async function dialCode({ anna }: { anna: Employee }) {
  const code = await anna.dial(CODE)
  await code.answered()
  await hearsBeep(code)
  expect(await code.ended()).toEqual({ why: 'hungUp', by: 'peer' })
}

interface Phones {
  customer: RtpPhone
  annasPhone: RtpPhone
  bobsPhone: RtpPhone
}

const everybodyHears = ({ customer, annasPhone, bobsPhone }: Phones, customerHz = CUSTOMER_HZ) =>
  Promise.all([
    hearsAll(customer, ANNA_HZ, BOB_HZ),
    hearsAll(annasPhone, customerHz, BOB_HZ),
    hearsAll(bobsPhone, customerHz, ANNA_HZ),
  ])

async function threeWay(ofNumber: Record<string, unknown> = {}) {
  const scene = await consultation(ofNumber)
  await dialCode(scene)
  expect(await scene.inquiry.ended()).toEqual({ why: 'hungUp', by: 'peer' })
  await Promise.all([scene.customer.hears(BOB_HZ), scene.bobsPhone.hears(CUSTOMER_HZ)])
  expect((await scene.annasPhone.resume()).ok).toBe(true)
  await everybodyHears(scene)
  return scene
}

async function isRefused(employee: Employee, why: string) {
  const code = await employee.dial(CODE)
  expect(await code.ended()).toMatchObject({ why: 'refused', status: 480 })
  const received = employee.trace.read({ sipCallId: code.call.id }).map(({ text }) => text)
  expect(received.findLast((text) => text.startsWith('SIP/2.0 480'))).toContain(`text="${why}"`)
}

const NO_CUSTOMER = 'you have no call with a customer'
const NOBODY = 'you consult nobody'
const NOT_NOW = 'these calls cannot be merged now'

test('a phone merges its customer and the coworker it has called: everybody hears everybody, in one recorded call', async () => {
  const scene = await threeWay({ recording_enabled: true })
  const { company, anna, bob, customer, annasPhone, bobsPhone, call } = scene
  for (const { api } of [anna, bob])
    expect((await api.get('/calls/active')).body).toMatchObject({
      call: { id: call.id, state: 'bridged' },
      transfer: { state: 'consulting', from_employee: { name: 'Anna' }, to_employee: { name: 'Bob' } },
    })
  await eventually(async () => expect(await internalEnds(company)).toEqual(['transferred']))
  for (const { id } of [anna, bob])
    expect((await company.api.get(`/employees/${id}`)).body.status).toBe('on_call')
  customer.hangUp()
  await Promise.all([annasPhone.ended(), bobsPhone.ended()])
  const ended = await callIs(company, 'ended')
  expect(ended.id).toBe(call.id)
  expect(ended.employees.map(({ name }: { name: string }) => name)).toEqual(['Anna', 'Bob'])
  expect(await wasRecordedTogether(ended.recording_url, CUSTOMER_HZ, ANNA_HZ, BOB_HZ)).toBe(true)
  await expectNoLiveRows(bellhop)
})

test('the coworker whom the phone had called hangs up: the controller keeps the customer', async () => {
  const { company, customer, annasPhone, bobsPhone } = await threeWay()
  bobsPhone.hangUp()
  await Promise.all([customer.hears(ANNA_HZ), annasPhone.hears(CUSTOMER_HZ)])
  await eventually(async () => expect(await transferStates(company)).toEqual(['cancelled']))
  annasPhone.hangUp()
  await customer.ended()
  await expectNoLiveRows(bellhop)
})

test('the controller hangs up, even while holding: the coworker has the call', async () => {
  for (const holds of [false, true]) {
    const { company, bob, customer, annasPhone, bobsPhone, call } = await threeWay()
    if (holds) expect((await annasPhone.hold()).ok).toBe(true)
    annasPhone.hangUp()
    await Promise.all([customer.hears(BOB_HZ), bobsPhone.hears(CUSTOMER_HZ)])
    await eventually(async () => expect(await transferStates(company)).toEqual(['completed']))
    expect((await bob.api.get('/calls/active')).body).toMatchObject({ call: { id: call.id }, transfer: null })
    bobsPhone.hangUp()
    await customer.ended()
    await expectNoLiveRows(bellhop)
  }
})

test('a phone that holds nobody merges the coworker who has called it and a customer whom it has called', async () => {
  const company = await bellhop.newCompany()
  const [anna, bob] = [await hire(company, 'Anna', ANNA_HZ), await hire(company, 'Bob', BOB_HZ)]
  await numberWith(bellhop, company, { type: 'TransferConfig', employee_ids: [anna.id] })
  const bobsPhone = await bob.dial(await extensionOf(company, anna))
  const inquiry = await anna.rings()
  await inquiry.answer()
  await bobsPhone.answered()
  const annasPhone = await anna.dial('20112233')
  const customer = await callee()
  await customer.answer()
  await annasPhone.answered()
  await Promise.all([customer.hears(ANNA_HZ), bobsPhone.hears(ANNA_HZ), callIs(company, 'bridged')])
  await dialCode({ anna })
  await inquiry.ended()
  await everybodyHears({ customer, annasPhone, bobsPhone }, CALLED_HZ)
})

test('a phone merges a coworker who is consulted with the API, and again, which changes nothing', async () => {
  const scene = await startConversation(phoneSystem)
  const { company, anna, bob, annasPhone, call } = scene
  await anna.api.post(`/calls/${call.id}/transfers`, { employee_id: bob.id })
  const bobsPhone = await bob.rings()
  await isRefused(anna, NOBODY)
  await bobsPhone.answer()
  await Promise.all([annasPhone.hears(BOB_HZ), bobsPhone.hears(ANNA_HZ)])
  expect((await annasPhone.hold()).ok).toBe(true)
  await dialCode(scene)
  expect((await annasPhone.resume()).ok).toBe(true)
  await everybodyHears({ ...scene, bobsPhone })
  await dialCode(scene)
  await everybodyHears({ ...scene, bobsPhone })
  expect(await transferStates(company)).toEqual(['consulting'])
  await callIs(company, 'bridged')
})

test('a phone is refused with a reason, and its calls go on', async () => {
  const scene = await startConversation(phoneSystem)
  const { company, anna, bob, customer, annasPhone, call } = scene
  await isRefused(bob, NO_CUSTOMER)
  await isRefused(anna, NOBODY)
  const inquiry = await anna.dial(await extensionOf(company, bob))
  const bobsPhone = await bob.rings()
  await isRefused(anna, NOBODY)
  await bobsPhone.answer()
  await inquiry.answered()
  await isRefused(bob, NO_CUSTOMER)
  const carol = await hire(company, 'Carol', 900)
  await anna.api.post(`/calls/${call.id}/transfers`, { employee_id: carol.id })
  const carolsPhone = await carol.rings()
  await isRefused(anna, NOT_NOW)
  carolsPhone.decline()
  await Promise.all([
    customer.hears(ANNA_HZ),
    annasPhone.hears(CUSTOMER_HZ),
    bobsPhone.hears(ANNA_HZ),
    inquiry.hears(BOB_HZ),
  ])
  expect(await internalEnds(company)).toEqual(['answered'])
  customer.hangUp()
  await callIs(company, 'ended')
  await isRefused(anna, NO_CUSTOMER)
})

/** The phone dials the code, and hangs up its customer while the edge waits for this table. */
async function hangsUpMeanwhile(
  table: 'calls' | 'internal_calls',
  { anna, annasPhone }: { anna: Employee; annasPhone: Awaited<ReturnType<Employee['rings']>> },
) {
  await bellhop.db.tx(async (tx) => {
    await tx`lock table ${tx(table)} in access exclusive mode`
    await anna.dial(CODE)
    await eventually(async () =>
      expect(
        await tx`select from pg_locks where relation = ${table}::regclass and not granted`,
      ).not.toHaveLength(0),
    )
    annasPhone.hangUp()
    // The phone's call ends at once; the edge must have received its BYE before the table is free again.
    await eventually(async () => expect(responsesToBye(anna, annasPhone)).toHaveLength(1))
  })
}

function responsesToBye({ trace }: Employee, { call }: Awaited<ReturnType<Employee['rings']>>): string[] {
  const messages = trace.read({ sipCallId: call.id }).map(({ text }) => text)
  return messages.filter((text) => text.startsWith('SIP/2.0 200') && /^CSeq: \d+ BYE/im.test(text))
}

test('a phone that hangs up its customer while the code is handled leaves the customer to the coworker', async () => {
  const { company, anna, bob, customer, annasPhone, bobsPhone, call } = await consultation()
  await hangsUpMeanwhile('internal_calls', { anna, annasPhone })
  await Promise.all([customer.hears(BOB_HZ), bobsPhone.hears(CUSTOMER_HZ)])
  await eventually(async () => expect(await transferStates(company)).toEqual(['completed']))
  expect((await bob.api.get('/calls/active')).body).toMatchObject({ call: { id: call.id }, transfer: null })
  bobsPhone.hangUp()
  await customer.ended()
  await expectNoLiveRows(bellhop)
})

test('a phone that hangs up its customer while the code is refused is rung again', async () => {
  const { company, anna, customer, annasPhone } = await startConversation(phoneSystem)
  await hangsUpMeanwhile('internal_calls', { anna, annasPhone })
  const again = await anna.rings()
  await again.answer()
  await Promise.all([customer.hears(ANNA_HZ), again.hears(CUSTOMER_HZ)])
  await callIs(company, 'bridged')
  again.hangUp()
  await customer.ended()
  await expectNoLiveRows(bellhop)
})

/** Another edge, for one test. */
async function secondEdge() {
  const second = await startEdge(bellhop.parts)
  onTestFinished(() => second.stop())
  return hireAt(second.port)
}

/** Anna, who has a customer, and Bob talk, whoever of them calls. */
async function talking({
  company,
  anna,
  bob,
  caller,
}: {
  company: TestCompany
  anna: Employee
  bob: Employee
  caller: 'Anna' | 'Bob'
}) {
  const [from, to] = caller === 'Anna' ? [anna, bob] : [bob, anna]
  const calling = await from.dial(await extensionOf(company, to))
  const called = await to.rings()
  await called.answer()
  await calling.answered()
  const [inquiry, bobsPhone] = caller === 'Anna' ? [calling, called] : [called, calling]
  await Promise.all([inquiry.hears(BOB_HZ), bobsPhone.hears(ANNA_HZ)])
  return { inquiry, bobsPhone }
}

test('a phone merges its customer and a coworker whose call is at another edge', async () => {
  const hireThere = await secondEdge()
  const company = await bellhop.newCompany()
  const anna = await hireThere(company, 'Anna', ANNA_HZ)
  const { number } = await numberWith(bellhop, company, { type: 'TransferConfig', employee_ids: [anna.id] })
  for (const hireBob of [hire, hireThere]) {
    const bob = await hireBob(company, 'Bob', BOB_HZ)
    const customer = await dial(number)
    await customer.connected()
    const annasPhone = await anna.rings()
    await annasPhone.answer()
    await customer.hears(ANNA_HZ)
    const { id } = await callIs(company, 'bridged')
    const { inquiry, bobsPhone } = await talking({ company, anna, bob, caller: 'Anna' })
    await dialCode({ anna })
    await inquiry.ended()
    await everybodyHears({ customer, annasPhone, bobsPhone })
    expect(await callIs(company, 'bridged')).toMatchObject({ id })
    annasPhone.hangUp()
    await Promise.all([customer.hears(BOB_HZ), bobsPhone.hears(CUSTOMER_HZ)])
    bobsPhone.hangUp()
    await customer.ended()
    await expectNoLiveRows(bellhop)
  }
  expect(await internalEnds(company)).toEqual(['transferred', 'transferred'])
})

test('a phone merges a coworker who has called it from another edge and a customer whom it has called', async () => {
  const hireThere = await secondEdge()
  const company = await bellhop.newCompany()
  const [anna, bob] = [await hire(company, 'Anna', ANNA_HZ), await hireThere(company, 'Bob', BOB_HZ)]
  await numberWith(bellhop, company, { type: 'TransferConfig', employee_ids: [anna.id] })
  const { inquiry, bobsPhone } = await talking({ company, anna, bob, caller: 'Bob' })
  const annasPhone = await anna.dial('20112233')
  const customer = await callee()
  await customer.answer()
  await annasPhone.answered()
  await Promise.all([customer.hears(ANNA_HZ), callIs(company, 'bridged')])
  await dialCode({ anna })
  await inquiry.ended()
  await everybodyHears({ customer, annasPhone, bobsPhone }, CALLED_HZ)
})

test('a phone at another edge that hangs up its customer while the code is handled leaves them to the coworker', async () => {
  const hireThere = await secondEdge()
  const company = await bellhop.newCompany()
  const [anna, bob] = [await hireThere(company, 'Anna', ANNA_HZ), await hire(company, 'Bob', BOB_HZ)]
  const { number } = await numberWith(bellhop, company, { type: 'TransferConfig', employee_ids: [anna.id] })
  const customer = await dial(number)
  await customer.connected()
  const annasPhone = await anna.rings()
  await annasPhone.answer()
  await customer.hears(ANNA_HZ)
  await callIs(company, 'bridged')
  const { bobsPhone } = await talking({ company, anna, bob, caller: 'Anna' })
  await hangsUpMeanwhile('calls', { anna, annasPhone })
  await Promise.all([customer.hears(BOB_HZ), bobsPhone.hears(CUSTOMER_HZ)])
  await eventually(async () => expect(await transferStates(company)).toEqual(['completed']))
})

test('a phone at another edge than its customer merges a transfer', async () => {
  const hireThere = await secondEdge()
  const company = await bellhop.newCompany()
  const anna = await hireThere(company, 'Anna', ANNA_HZ)
  const bob = await hire(company, 'Bob', BOB_HZ)
  const { number } = await numberWith(bellhop, company, { type: 'TransferConfig', employee_ids: [anna.id] })
  const customer = await dial(number)
  await customer.connected()
  const annasPhone = await anna.rings()
  await annasPhone.answer()
  await customer.hears(ANNA_HZ)
  const { id } = await callIs(company, 'bridged')
  await eventually(async () =>
    expect((await anna.api.post(`/calls/${id}/transfers`, { employee_id: bob.id })).status).toBe(201),
  )
  const bobsPhone = await bob.rings()
  await bobsPhone.answer()
  await annasPhone.hears(BOB_HZ)
  await dialCode({ anna })
  await everybodyHears({ customer, annasPhone, bobsPhone })
  customer.hangUp()
  await Promise.all([annasPhone.ended(), bobsPhone.ended()])
  await expectNoLiveRows(bellhop)
})

test('Linphone merges its customer and the coworker it has called', async () => {
  const company = await bellhop.newCompany()
  const bob = await hire(company, 'Bob', BOB_HZ)
  const { id, linphone } = await employeeWithLinphone(bellhop, company, ANNA_HZ)
  const { number } = await numberWith(bellhop, company, { type: 'TransferConfig', employee_ids: [id] })
  const prints = (what: RegExp) => eventually(() => expect(linphone.output()).toMatch(what))
  const customer = await dial(number)
  await customer.connected()
  await prints(/Receiving new incoming call/)
  linphone.command('answer')
  await prints(/Call 1 with .* connected/)
  linphone.speak()
  await customer.hears(ANNA_HZ)
  await callIs(company, 'bridged')
  linphone.command('pause')
  await prints(/Call 1 with .* paused/)
  linphone.command(`call ${await extensionOf(company, bob)}`)
  const bobsPhone = await bob.rings()
  await bobsPhone.answer()
  await prints(/Call 2 with .* connected/)
  linphone.speak()
  await bobsPhone.hears(ANNA_HZ)
  linphone.command('pause')
  await prints(/Call 2 with .* paused/)

  linphone.command(`call ${CODE}`)
  await prints(/Call 3 with .* ended/)
  await prints(/Call 2 with .* ended/)
  await Promise.all([customer.hears(BOB_HZ), bobsPhone.hears(CUSTOMER_HZ)])
  linphone.command('resume 1')
  await prints(/(for call 1 [^]*){2}/)
  linphone.speak()
  await Promise.all([hearsAll(customer, ANNA_HZ, BOB_HZ), hearsAll(bobsPhone, CUSTOMER_HZ, ANNA_HZ)])
  customer.hangUp()
  const call = await callIs(company, 'ended')
  expect(call.employees.map(({ name }: { name: string }) => name).toSorted()).toEqual(['Bob', 'Åse Ørsted'])
  await expectNoLiveRows(bellhop)
})
