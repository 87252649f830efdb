import { expect, test, vi } from 'vitest'

import { callIs, followCallEvents, lastCall } from '../harness/calls/call-events.ts'
import { numberWith, openPhoneSystem } from '../harness/calls/phone-system.ts'
import type { TestCompany } from '../harness/index.ts'
import type { HeardPacket } from '../harness/sound/rtp-phone.ts'
import { passTimeUntil } from '../harness/test-clock.ts'

const phoneSystem = await openPhoneSystem({ BELLHOP_WEBHOOKS_ALLOW_INSECURE: '1' })
const { bellhop, dial, hire } = phoneSystem

const endedCall = (company: TestCompany) => callIs(company, 'ended')
const stateOf = async (company: TestCompany) => (await lastCall(company))?.state
const listen = (company: TestCompany) => followCallEvents(bellhop, company)

test('a rejected caller hears the message and is hung up; the call is lost', async () => {
  const company = await bellhop.newCompany()
  const told = await listen(company)
  const { number } = await numberWith(bellhop, company, { type: 'RejectConfig', message: 'Closed.' })
  await bellhop.drainJobs()
  const caller = await dial(number)
  await caller.connected()
  await caller.until('the message', () => caller.sound().some((sample) => Math.abs(sample) > 2_000))
  expect(await stateOf(company)).toBe('playing_audio')
  expect(await caller.ended()).toEqual({ why: 'hungUp', by: 'peer' })
  expect(await endedCall(company)).toMatchObject({ answered_at: null, duration: 0, employees: [] })
  const events = await told()
  expect(events.map(({ event }) => event)).toEqual(['call.initiated', 'call.ended', 'call.lost'])
})

test('outside hours its own slot runs, and the events say so', async () => {
  const company = await bellhop.newCompany()
  const told = await listen(company)
  const { id, number } = await numberWith(bellhop, company, { type: 'VoicemailConfig', greeting: 'Open.' })
  const closed = Array.from({ length: 7 }, (_, day_of_week) => ({ day_of_week, open: false }))
  const slot = { type: 'RejectConfig', message: 'Closed.', business_hours: closed }
  await company.api.put(`/business_numbers/${id}/outside_business_hours_config`, slot)
  await bellhop.drainJobs()
  const caller = await dial(number)
  await caller.connected()
  await caller.ended()
  await endedCall(company)
  const events = await told()
  const names = events.map(({ event }) => event)
  expect(names).toEqual(['call.initiated', 'call.outside_business_hours', 'call.ended', 'call.lost'])
  expect(events[1]!.data).toMatchObject({
    state: 'initiated',
    initiated_by: null,
    main_number_number: number,
  })
})

test('outside hours without a slot of its own, the flow for incoming calls runs', async () => {
  const company = await bellhop.newCompany()
  const told = await listen(company)
  const { id, number } = await numberWith(bellhop, company, { type: 'RejectConfig', message: 'Always.' })
  const closed = Array.from({ length: 7 }, (_, day_of_week) => ({ day_of_week, open: false }))
  const path = `/business_numbers/${id}/outside_business_hours_config`
  expect((await company.api.put(path, { type: null, business_hours: closed })).status).toBe(200)
  await bellhop.drainJobs()
  const caller = await dial(number)
  await caller.connected()
  expect(await caller.ended()).toEqual({ why: 'hungUp', by: 'peer' })
  await endedCall(company)
  const names = (await told()).map(({ event }) => event)
  expect(names).toEqual(['call.initiated', 'call.outside_business_hours', 'call.ended', 'call.lost'])
})

test('a transfer outside hours queues the caller like any other', async () => {
  const company = await bellhop.newCompany()
  const anna = await hire(company, 'Anna', 700)
  const told = await listen(company)
  const { id, number } = await numberWith(bellhop, company, { type: 'RejectConfig', message: 'Open.' })
  const closed = Array.from({ length: 7 }, (_, day_of_week) => ({ day_of_week, open: false }))
  const slot = { type: 'TransferConfig', employee_ids: [anna.id], business_hours: closed }
  const path = `/business_numbers/${id}/outside_business_hours_config`
  expect((await company.api.put(path, slot)).status).toBe(200)
  const caller = await dial(number)
  await caller.connected()
  const ring = await anna.rings()
  expect(await stateOf(company)).toBe('queued')
  await ring.answer()
  await ring.hears(440)
  caller.hangUp()
  await endedCall(company)
  expect((await told()).map(({ event }) => event)).toEqual([
    'call.initiated',
    'call.outside_business_hours',
    'call.queued',
    'call.answered',
    'call.ended',
  ])
})

test('a caller hears the greeting, then waits, then talks', async () => {
  const company = await bellhop.newCompany()
  const anna = await hire(company, 'Anna', 700)
  const told = await listen(company)
  const flow = { type: 'WelcomeTransferConfig', welcome: 'Welcome.', employee_ids: [anna.id] }
  const { number } = await numberWith(bellhop, company, flow)
  await bellhop.drainJobs()
  const caller = await dial(number)
  await caller.connected()
  const ring = await anna.rings()
  expect(caller.sound().some((sample) => Math.abs(sample) > 2_000)).toBe(true)
  await caller.hears(425)
  await ring.answer()
  await ring.hears(440)
  ring.hangUp()
  await caller.ended()
  const call = await endedCall(company)
  const events = await told()
  expect(events.map(({ event }) => event)).toEqual([
    'call.initiated',
    'call.queued',
    'call.answered',
    'call.ended',
  ])
  expect(events[1]!.data).toMatchObject({ state: 'queued', answered_at: null, employees: [] })
  expect(events[2]!.data).toMatchObject({
    id: call.id,
    state: 'answered',
    answered_at: expect.any(String),
    employees: [{ id: anna.id, name: 'Anna' }],
    duration: null,
  })
})

const OPTIONS = (annaId: string) => [
  { digit: '1', action_type: 'TransferConfig', employee_ids: [annaId] },
  { digit: '2', action_type: 'WelcomeTransferConfig', prompt: 'Sales.', employee_ids: [annaId] },
  { digit: '3', action_type: 'VoicemailConfig', prompt: 'Speak.' },
  { digit: '4', action_type: 'PlayMessageConfig', prompt: 'Bye.' },
]

test.each([
  ['1', 'queued'],
  ['2', 'queued'],
  ['3', 'recording'],
  ['4', 'ended'],
])('the digit %s of a menu leads to %s', async (key, state) => {
  const company = await bellhop.newCompany()
  const anna = await hire(company, 'Anna', 700)
  const menu = { type: 'PhoneMenuConfig', welcome: 'Choose.', menu_options: OPTIONS(anna.id) }
  const { number } = await numberWith(bellhop, company, menu)
  await bellhop.drainJobs()
  const caller = await dial(number)
  await caller.connected()
  await caller.until('the menu', () => caller.sound().some((sample) => Math.abs(sample) > 2_000))
  expect(await stateOf(company)).toBe('initiated')
  caller.press(key)
  await vi.waitFor(async () => expect(await stateOf(company)).toBe(state), { timeout: 20_000 })
  caller.hangUp()
  await endedCall(company)
})

async function atTheMenu() {
  const company = await bellhop.newCompany()
  const anna = await hire(company, 'Anna', 700)
  const menu = { type: 'PhoneMenuConfig', welcome: 'Choose.', menu_options: OPTIONS(anna.id) }
  const number = await numberWith(bellhop, company, menu)
  await bellhop.drainJobs()
  const caller = await dial(number.number)
  await caller.connected()
  await caller.until('the menu', () => caller.sound().some((sample) => Math.abs(sample) > 2_000))
  return { company, number, caller }
}

/** The menu's timeout passes; the prompts play in real time. */
const passing = <T>(until: Promise<T>): Promise<T> => passTimeUntil(bellhop.clock, until, 200)

test('a caller who presses nothing is asked three times and then hung up', async () => {
  const { caller } = await atTheMenu()
  expect(await passing(caller.ended())).toEqual({ why: 'hungUp', by: 'peer' })
  expect(promptsIn(caller.heard)).toBe(3)
})

test('a wrong digit repeats the menu, in which the right one works', async () => {
  const { company, caller } = await atTheMenu()
  caller.press('9')
  const from = caller.heard.length
  await caller.until('the menu again', () => caller.sound(from).some((sample) => Math.abs(sample) > 2_000))
  expect(await stateOf(company)).toBe('initiated')
  caller.press('4')
  expect(await caller.ended()).toEqual({ why: 'hungUp', by: 'peer' })
  await endedCall(company)
})

test('a caller who makes no choice gets the no-answer flow, if there is one', async () => {
  const { company, number, caller } = await atTheMenu()
  const next = { type: 'VoicemailConfig', greeting: 'Speak.', timeout_secs: 15 }
  expect((await company.api.put(`/business_numbers/${number.id}/no_answer_config`, next)).status).toBe(200)
  await bellhop.drainJobs()
  caller.hangUp()
  await endedCall(company)
  const again = await dial(number.number)
  await again.connected()
  await passing(callIs(company, 'recording'))
})

test('a caller who makes no choice is hung up if the no-answer flow is switched off', async () => {
  const { company, number, caller } = await atTheMenu()
  const next = { type: 'VoicemailConfig', greeting: 'Speak.', timeout_secs: null }
  expect((await company.api.put(`/business_numbers/${number.id}/no_answer_config`, next)).status).toBe(200)
  await bellhop.drainJobs()
  caller.hangUp()
  await endedCall(company)
  const told = await listen(company)
  const again = await dial(number.number)
  await again.connected()
  expect(await passing(again.ended())).toEqual({ why: 'hungUp', by: 'peer' })
  await endedCall(company)
  expect((await told()).map(({ event }) => event)).toEqual(['call.initiated', 'call.ended', 'call.lost'])
})

/** The first packet of each prompt is marked: gaps in the arrival of packets may also be those of a busy machine. */
const promptsIn = (heard: HeardPacket[]) => heard.filter(({ packet }) => packet.header.marker).length
