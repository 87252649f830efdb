import { expect, test } from 'vitest'

import { callIs, eventually, followCallEvents } from '../harness/calls/call-events.ts'
import { type Employee, numberWith, openPhoneSystem } from '../harness/calls/phone-system.ts'
import type { TestCompany } from '../harness/index.ts'

const { bellhop, dial, hire } = await openPhoneSystem({ BELLHOP_WEBHOOKS_ALLOW_INSECURE: '1' })

/** The database has its own clock, which this moves the edge's ahead of. */
const waitSecondsFromNow = (seconds: number) =>
  bellhop.clock.advance(Date.now() - bellhop.clock.now().getTime() + seconds * 1_000)

const isLoggedOut = (company: TestCompany, id: string) =>
  eventually(async () => expect((await company.api.get(`/employees/${id}`)).body.status).toBe('logged_out'))

/** Calls ring Anna, and Bob if nobody answers for an hour. */
async function openNumber({ timeout_secs = 3_600 }: { timeout_secs?: number | null } = {}) {
  const company = await bellhop.newCompany()
  const anna = await hire(company, 'Anna', 700)
  const bob = await hire(company, 'Bob', 800)
  const flow = { type: 'TransferConfig', employee_ids: [anna.id] }
  const { id, number } = await numberWith(bellhop, company, flow)
  const next = { type: 'TransferConfig', employee_ids: [bob.id], timeout_secs }
  expect((await company.api.put(`/business_numbers/${id}/no_answer_config`, next)).status).toBe(200)
  return { company, anna, bob, id, number }
}

test('a caller of whom nobody wants to be disturbed is not kept waiting', async () => {
  const { company, anna, bob, number } = await openNumber()
  await anna.api.put(`/employees/${anna.id}/do_not_disturb`, { enabled: true })
  const told = await followCallEvents(bellhop, company)
  const caller = await dial(number)
  await caller.connected()
  const ring = await bob.rings()
  expect(anna.unanswered()).toBe(0)
  await ring.answer()
  await caller.hears(800)
  caller.hangUp()
  await callIs(company, 'ended')
  const names = (await told()).map(({ event }) => event)
  expect(names).toEqual(['call.initiated', 'call.queued', 'call.answered', 'call.ended'])
})

test('a phone that went away less than 15 seconds ago still counts, and rings when it is back', async () => {
  const { company, anna, bob, number } = await openNumber()
  anna.leave()
  await isLoggedOut(company, anna.id)
  waitSecondsFromNow(10)
  const caller = await dial(number)
  await caller.connected()
  await callIs(company, 'queued')
  expect(bob.unanswered()).toBe(0)
  anna.registerAgain()
  await (await anna.rings()).answer()
  await caller.hears(700)
})

test('a phone that went away 15 seconds ago does not', async () => {
  const { company, anna, bob, number } = await openNumber()
  anna.leave()
  await isLoggedOut(company, anna.id)
  waitSecondsFromNow(15)
  const caller = await dial(number)
  await caller.connected()
  await (await bob.rings()).answer()
  await caller.hears(800)
})

test('a phone that went away does not count for an employee with do not disturb', async () => {
  const { company, anna, bob, number } = await openNumber()
  anna.leave()
  await isLoggedOut(company, anna.id)
  await company.api.put(`/employees/${anna.id}/do_not_disturb`, { enabled: true })
  const caller = await dial(number)
  await caller.connected()
  await bob.rings()
})

test('an employee who is on a call counts, and gets the caller next', async () => {
  const { company, anna, bob, number } = await openNumber()
  const first = await dial(number)
  await first.connected()
  await (await anna.rings()).answer()
  await callIs(company, 'bridged')
  const second = await dial(number, { from: '+4520000002' })
  await second.connected()
  await callIs(company, 'queued')
  expect(bob.unanswered()).toBe(0)
  first.hangUp()
  await (await anna.rings()).answer()
  await second.hears(700)
})

test('the same goes for a step behind a menu key', async () => {
  const { anna, bob, id, company, number } = await openNumber()
  const option = { digit: '1', action_type: 'TransferConfig', employee_ids: [anna.id] }
  const menu = { type: 'PhoneMenuConfig', welcome: 'Tryk et.', menu_options: [option] }
  expect((await company.api.put(`/business_numbers/${id}/incoming_call_config`, menu)).status).toBe(200)
  await bellhop.drainJobs()
  await anna.api.put(`/employees/${anna.id}/do_not_disturb`, { enabled: true })
  const caller = await dial(number)
  await caller.connected()
  await caller.until('the menu', () => caller.sound().some((sample) => Math.abs(sample) > 2_000))
  caller.press('1')
  await bob.rings()
})

test('without an armed timer the caller waits, whoever is there', async () => {
  const { company, anna, bob, number } = await openNumber({ timeout_secs: null })
  await anna.api.put(`/employees/${anna.id}/do_not_disturb`, { enabled: true })
  const caller = await dial(number)
  await caller.connected()
  await callIs(company, 'queued')
  expect(bob.unanswered()).toBe(0)
})

/** Anna has gone, but her browser shows her who calls. */
async function leaveBrowser(company: TestCompany, anna: Employee): Promise<void> {
  const employeeId = anna.uuid
  await bellhop.db.sql`
    with session as (
      insert into sessions (company_id, employee_id, token_hash, second_factor_owed, user_agent, created_at, last_seen_at)
      values (${company.companyId}, ${employeeId}, ${Buffer.from(anna.id)}, false, '', now(), now()) returning id
    )
    insert into push_subscriptions (company_id, employee_id, session_id, endpoint_hash, subscription_sealed, language)
    select ${company.companyId}, ${employeeId}, id, ${Buffer.from(anna.id)}, '', 'en' from session`
  anna.leave()
  await isLoggedOut(company, anna.id)
  waitSecondsFromNow(15)
}

test('a caller waits half a minute for somebody whose browser shows the call', async () => {
  const { company, anna, bob, number } = await openNumber()
  await leaveBrowser(company, anna)
  const caller = await dial(number)
  await caller.connected()
  await callIs(company, 'queued')
  bellhop.clock.advance(29_000)
  await isLoggedOut(company, anna.id)
  expect(bob.unanswered()).toBe(0)
  bellhop.clock.advance(1_000)
  await (await bob.rings()).answer()
  await caller.hears(800)
})

test('whoever comes within that time gets the caller, who then waits as long as the number says', async () => {
  const { company, anna, bob, number } = await openNumber()
  await leaveBrowser(company, anna)
  const caller = await dial(number)
  await caller.connected()
  await callIs(company, 'queued')
  anna.registerAgain()
  const ring = await anna.rings()
  bellhop.clock.advance(60_000)
  expect((await company.api.get(`/employees/${anna.id}`)).body.status).toBe('ringing')
  expect(bob.unanswered()).toBe(0)
  await ring.answer()
  await caller.hears(700)
})

test('a browser does not count for an employee with do not disturb', async () => {
  const { company, anna, bob, number } = await openNumber()
  await leaveBrowser(company, anna)
  await company.api.put(`/employees/${anna.id}/do_not_disturb`, { enabled: true })
  const caller = await dial(number)
  await caller.connected()
  await bob.rings()
})
