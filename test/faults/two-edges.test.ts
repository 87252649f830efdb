import { expect, test } from 'vitest'
import { afterAll } from 'vitest'

import { startEdge } from '../../server/roles/edge.ts'
import { callIs, eventually } from '../harness/calls/call-events.ts'
import { numberWith, openPhoneSystem } from '../harness/calls/phone-system.ts'
import { expectNoLiveRows } from '../harness/processes/no-live-rows.ts'

const phoneSystem = await openPhoneSystem({ BELLHOP_WEBHOOKS_ALLOW_INSECURE: '1' })
const { bellhop, dial } = phoneSystem
const second = await startEdge(bellhop.parts)
afterAll(() => second.stop())
phoneSystem.connectCarrier('second', second.port)

/** The callers whose calls a phone answered, in order. */
const callerOf = ({ call }: { call: { from: { uri: object } } }) => (call.from.uri as { user: string }).user

test('an employee whose phone is at one edge answers a call at another; hold and hang-up are passed on', async () => {
  const company = await bellhop.newCompany()
  const anna = await phoneSystem.hireAt(second.port)(company, 'Anna', 700)
  const { number } = await numberWith(bellhop, company, { type: 'TransferConfig', employee_ids: [anna.id] })
  const customer = await dial(number)
  await customer.connected()
  const phone = await anna.rings()
  await phone.answer()
  await Promise.all([customer.hears(700), phone.hears(440)])
  expect((await phone.hold()).ok).toBe(true)
  await customer.until('music', () => customer.last(400)?.some((sample) => Math.abs(sample) > 1_000))
  expect((await phone.resume()).ok).toBe(true)
  await Promise.all([customer.hears(700), phone.hears(440)])
  customer.hangUp()
  await phone.ended()
  await expectNoLiveRows(bellhop)
})

test('callers of a number are served in the order of their arrival, whichever edge they reached', async () => {
  const company = await bellhop.newCompany()
  const anna = await phoneSystem.hire(company, 'Anna', 700)
  const bob = await phoneSystem.hireAt(second.port)(company, 'Bob', 800)
  const flow = { type: 'TransferConfig', employee_ids: [anna.id, bob.id] }
  const { number } = await numberWith(bellhop, company, flow)
  const occupy = async () => {
    const blocker = await dial(number, { from: '+4520000000' })
    await blocker.connected()
  }
  await occupy()
  // Both ring for the first one: Bob's ringing must have stopped before the next caller rings him.
  const [first, cancelled] = await Promise.all([anna.rings(), bob.rings()])
  await first.answer()
  await cancelled.ended()
  await occupy()
  const last = await bob.rings()
  await last.answer()
  await Promise.all([first.hears(440), last.hears(440)])
  const callers = []
  for (let place = 1; place <= 6; place++) {
    bellhop.clock.advance(1_000)
    const caller = await dial(number, {
      from: `+452000000${place}`,
      over: place % 2 === 0 ? 'second' : 'bellhop',
    })
    await caller.connected()
    await eventually(async () => {
      const [row] = await bellhop.db.sql`
        select count(*)::int as count from call_queue where company_id = ${company.companyId}`
      expect(row!.count).toBe(place)
    })
    callers.push(caller)
  }
  const served: string[] = []
  let [free, busy] = [first, last]
  const employees = [anna, bob]
  for (let turn = 0; turn < 6; turn++) {
    free.hangUp()
    const employee = employees[turn % 2]!
    const phone = await employee.rings()
    served.push(callerOf(phone))
    expect(employees[(turn + 1) % 2]!.unanswered()).toBe(0)
    await phone.answer()
    await phone.hears(440)
    ;[free, busy] = [busy, phone]
  }
  expect(served).toEqual([1, 2, 3, 4, 5, 6].map((place) => `+452000000${place}`))
  for (const caller of callers) caller.hangUp()
  free.hangUp()
  busy.hangUp()
  await callIs(company, 'ended')
  await expectNoLiveRows(bellhop)
})
