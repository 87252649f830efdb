import { expect, test } from 'vitest'

import { encodeId } from '../../server/platform/ids.ts'
import { callIs, eventually, followCallEvents } from '../harness/calls/call-events.ts'
import { numberWith, openPhoneSystem } from '../harness/calls/phone-system.ts'
import type { TestCompany } from '../harness/index.ts'
import { toneShare } from '../harness/sound/audio-analysis.ts'

const { bellhop, dial, hire } = await openPhoneSystem({ BELLHOP_WEBHOOKS_ALLOW_INSECURE: '1' })

const statusOf = async (company: TestCompany, id: string) =>
  (await company.api.get(`/employees/${id}`)).body.status

test('all available employees ring at once; the first to answer has the call, and the others stop ringing', async () => {
  const company = await bellhop.newCompany()
  const anna = await hire(company, 'Anna', 700)
  const bob = await hire(company, 'Bob', 800)
  const flow = { type: 'TransferConfig', employee_ids: [anna.id, bob.id] }
  const { number } = await numberWith(bellhop, company, flow)
  const caller = await dial(number)
  await caller.connected()
  const [annasRing, bobsRing] = await Promise.all([anna.rings(), bob.rings()])
  await bobsRing.answer()
  expect(await annasRing.ended()).toEqual({ why: 'cancelled', elsewhere: true })
  await Promise.all([caller.hears(800), bobsRing.hears(440)])
  // They talk before that is stored.
  await eventually(async () => {
    expect(await statusOf(company, anna.id)).toBe('available')
    expect(await statusOf(company, bob.id)).toBe('on_call')
  })
  bobsRing.hangUp()
  await caller.ended()
  await callIs(company, 'ended')
})

test('the caller who has waited longest is served first, also by an employee who becomes available later', async () => {
  const company = await bellhop.newCompany()
  const anna = await hire(company, 'Anna', 700)
  anna.leave()
  await eventually(async () => expect(await statusOf(company, anna.id)).toBe('logged_out'))
  const { number } = await numberWith(bellhop, company, { type: 'TransferConfig', employee_ids: [anna.id] })
  const first = await dial(number, { from: '+4520000001' })
  await first.connected()
  await callIs(company, 'queued')
  bellhop.clock.advance(1_000)
  const second = await dial(number, { from: '+4520000002' })
  await second.connected()
  await eventually(async () => {
    const { calls } = (await company.api.get('/calls?state=queued')).body
    expect(calls).toHaveLength(2)
  })
  anna.registerAgain()
  const ring = await anna.rings()
  expect(ring.call.from.uri).toMatchObject({ user: '+4520000001' })
  expect(anna.unanswered()).toBe(0)
  await ring.answer()
  await ring.hears(440)
  first.hangUp()
  const next = await anna.rings()
  expect(next.call.from.uri).toMatchObject({ user: '+4520000002' })
  await next.answer()
  await second.hears(700)
})

test('an employee who declines is not offered to the same caller for a while, and the others keep ringing', async () => {
  const company = await bellhop.newCompany()
  const anna = await hire(company, 'Anna', 700)
  const bob = await hire(company, 'Bob', 800)
  const flow = { type: 'TransferConfig', employee_ids: [anna.id, bob.id] }
  const { number } = await numberWith(bellhop, company, flow)
  const caller = await dial(number)
  await caller.connected()
  const annasRing = await anna.rings()
  const bobsRing = await bob.rings()
  annasRing.decline()
  await eventually(async () => expect(await statusOf(company, anna.id)).toBe('available'))
  expect(await statusOf(company, bob.id)).toBe('ringing')
  bellhop.clock.advance(30_000)
  const again = await anna.rings()
  await again.answer()
  expect(await bobsRing.ended()).toEqual({ why: 'cancelled', elsewhere: true })
})

test('do not disturb stops the ringing at once, and when it is switched off the caller rings again', async () => {
  const company = await bellhop.newCompany()
  const anna = await hire(company, 'Anna', 700)
  const { number } = await numberWith(bellhop, company, { type: 'TransferConfig', employee_ids: [anna.id] })
  const told = await followCallEvents(bellhop, company, ['employee.status.changed'])
  const caller = await dial(number)
  await caller.connected()
  const ring = await anna.rings()
  await anna.api.put(`/employees/${anna.id}/do_not_disturb`, { enabled: true })
  expect(await ring.ended()).toEqual({ why: 'cancelled' })
  expect(await statusOf(company, anna.id)).toBe('do_not_disturb')
  await anna.api.put(`/employees/${anna.id}/do_not_disturb`, { enabled: false })
  const again = await anna.rings()
  await again.answer()
  await again.hears(440)
  caller.hangUp()
  await callIs(company, 'ended')
  const statuses = (await told()).map(({ data }) => data.employee.status)
  expect(statuses).toEqual(['ringing', 'do_not_disturb', 'ringing', 'on_call', 'available'])
})

test('do not disturb during a call takes effect when the call ends, and then nobody rings', async () => {
  const company = await bellhop.newCompany()
  const anna = await hire(company, 'Anna', 700)
  const { number } = await numberWith(bellhop, company, { type: 'TransferConfig', employee_ids: [anna.id] })
  const caller = await dial(number)
  await caller.connected()
  const ring = await anna.rings()
  await ring.answer()
  await callIs(company, 'bridged')
  await anna.api.put(`/employees/${anna.id}/do_not_disturb`, { enabled: true })
  expect(await statusOf(company, anna.id)).toBe('on_call')
  caller.hangUp()
  await eventually(async () => expect(await statusOf(company, anna.id)).toBe('do_not_disturb'))
  const next = await dial(number)
  await next.connected()
  await callIs(company, 'queued')
  expect(anna.unanswered()).toBe(0)
})

test('if nobody answers in time the no-answer flow runs, and its transfer rings without a timer', async () => {
  const company = await bellhop.newCompany()
  const anna = await hire(company, 'Anna', 700)
  const bob = await hire(company, 'Bob', 800)
  const { id, number } = await numberWith(bellhop, company, {
    type: 'TransferConfig',
    employee_ids: [anna.id],
  })
  const next = { type: 'TransferConfig', employee_ids: [bob.id], timeout_secs: 15 }
  expect((await company.api.put(`/business_numbers/${id}/no_answer_config`, next)).status).toBe(200)
  const told = await followCallEvents(bellhop, company)
  const caller = await dial(number)
  await caller.connected()
  const annasRing = await anna.rings()
  expect(bob.unanswered()).toBe(0)
  bellhop.clock.advance(14_900)
  expect(annasRing.call.isOver).toBe(false)
  bellhop.clock.advance(100)
  expect(await annasRing.ended()).toEqual({ why: 'cancelled' })
  const bobsRing = await bob.rings()
  bellhop.clock.advance(60_000)
  expect(bobsRing.call.isOver).toBe(false)
  await bobsRing.answer()
  await caller.hears(800)
  caller.hangUp()
  await callIs(company, 'ended')
  const names = (await told()).map(({ event }) => event)
  expect(names).toEqual(['call.initiated', 'call.queued', 'call.answered', 'call.ended'])
})

test('between the queue and the next employees a call is being transferred', async () => {
  const company = await bellhop.newCompany()
  const anna = await hire(company, 'Anna', 700)
  const bob = await hire(company, 'Bob', 800)
  const flow = { type: 'TransferConfig', employee_ids: [anna.id] }
  const { id, number } = await numberWith(bellhop, company, flow)
  const welcome = 'Nobody is free at the moment. Please hold the line for one of our colleagues.'
  const next = { type: 'WelcomeTransferConfig', welcome, employee_ids: [bob.id], timeout_secs: 15 }
  expect((await company.api.put(`/business_numbers/${id}/no_answer_config`, next)).status).toBe(200)
  await bellhop.drainJobs()
  const caller = await dial(number)
  await caller.connected()
  await anna.rings()
  bellhop.clock.advance(15_000)
  expect(await callIs(company, 'transferring')).toMatchObject({ answered_at: null })
  await bob.rings()
  await callIs(company, 'queued')
})

/** One number for all timers, whose prompt is synthesised once. */
const waitingRoom = await bellhop.newCompany()
const waitingNumber = await numberWith(bellhop, waitingRoom, {
  type: 'TransferConfig',
  employee_ids: [encodeId('emp', waitingRoom.employeeId)],
})

test.each([15, 30, 60, 300, 600, 1200, 1800, 2700, 3600])(
  'a timer of %i seconds counts from joining the queue',
  async (seconds) => {
    const [company, { id, number }] = [waitingRoom, waitingNumber]
    const anna = await hire(company, 'Anna', 700)
    const flow = { type: 'TransferConfig', employee_ids: [anna.id] }
    expect((await company.api.put(`/business_numbers/${id}/incoming_call_config`, flow)).status).toBe(200)
    const next = { type: 'RejectConfig', message: 'Bye.', timeout_secs: seconds }
    expect((await company.api.put(`/business_numbers/${id}/no_answer_config`, next)).status).toBe(200)
    await bellhop.drainJobs()
    const caller = await dial(number)
    await caller.connected()
    await callIs(company, 'queued')
    bellhop.clock.advance(seconds * 1_000 - 1)
    expect((await company.api.get('/calls')).body.calls[0].state).toBe('queued')
    bellhop.clock.advance(1)
    expect(await caller.ended()).toEqual({ why: 'hungUp', by: 'peer' })
    await callIs(company, 'ended')
  },
)

test('a caller who hangs up while waiting stops the ringing, and the call is lost', async () => {
  const company = await bellhop.newCompany()
  const anna = await hire(company, 'Anna', 700)
  const { number } = await numberWith(bellhop, company, { type: 'TransferConfig', employee_ids: [anna.id] })
  const told = await followCallEvents(bellhop, company)
  const caller = await dial(number)
  await caller.connected()
  const ring = await anna.rings()
  caller.hangUp()
  expect(await ring.ended()).toEqual({ why: 'cancelled' })
  await callIs(company, 'ended')
  expect(await statusOf(company, anna.id)).toBe('available')
  const names = (await told()).map(({ event }) => event)
  expect(names).toEqual(['call.initiated', 'call.queued', 'call.ended', 'call.lost'])
})

test.each([
  ['waits', (employee_ids: string[]) => ({ type: 'TransferConfig', employee_ids })],
  [
    'waits behind a key of a menu',
    (employee_ids: string[]) => ({
      type: 'PhoneMenuConfig',
      welcome: 'Press one.',
      menu_options: [{ digit: '1', action_type: 'TransferConfig', employee_ids }],
    }),
  ],
])('a caller who %s hears music if the number is set to play it', async (_, flow) => {
  const company = await bellhop.newCompany()
  const anna = await hire(company, 'Anna', 700)
  const { number } = await numberWith(bellhop, company, flow([anna.id]), { wait_audio: 'music' })
  await bellhop.drainJobs()
  const caller = await dial(number)
  await caller.connected()
  await caller.until('the menu', () => caller.sound().some((sample) => Math.abs(sample) > 2_000))
  caller.press('1')
  await anna.rings()
  const from = caller.heard.length
  await caller.until('music', () => {
    const heard = caller.last(1_000, from)
    return heard && toneShare(heard, 425) < 0.2 && heard.some((sample) => Math.abs(sample) > 1_000)
  })
})
