import { expect, test, vi } from 'vitest'

import { callIs, eventually } from '../harness/calls/call-events.ts'
import { startRegisteredPhone } from '../harness/calls/edge.ts'
import { numberWith, openPhoneSystem } from '../harness/calls/phone-system.ts'
import { expectNoLiveRows } from '../harness/processes/no-live-rows.ts'
import { startLossyRelay } from '../harness/sip/lossy-relay.ts'
import { createFastClock } from '../harness/test-clock.ts'

/** RFC 3261 gives a peer 32 s to respond: a sixth of that here. */
const phoneSystem = await openPhoneSystem(
  {},
  { quiet: { afterMs: 1_500, againMs: 1_500 }, realTime: createFastClock(6) },
)
const { bellhop, dial, hire, edge } = phoneSystem

const PATIENCE = { timeout: 80_000 }

/** Anna's phone is behind a connection that can be cut. */
async function talk(by = phoneSystem.carrier.agent) {
  const company = await bellhop.newCompany()
  const wire = await startLossyRelay(edge.port, 0)
  const anna = await phoneSystem.hireAt(wire.port)(company, 'Anna', 700)
  const { number } = await numberWith(bellhop, company, { type: 'TransferConfig', employee_ids: [anna.id] })
  const customer = await dial(number, { by })
  await customer.connected()
  const phone = await anna.rings()
  await phone.answer()
  await customer.hears(700)
  await callIs(company, 'bridged')
  return { company, anna, customer, phone, wire }
}

test('a phone or customer that vanishes during a conversation is detected, and the other side is hung up', async () => {
  const lost = await talk()
  lost.wire.close()
  lost.phone.shutUp()
  const carrier = await phoneSystem.newCarrier()
  const gone = await talk(carrier)
  await carrier.close()
  gone.customer.shutUp()
  await vi.waitFor(() => expect(lost.customer.call.isOver).toBe(true), PATIENCE)
  await vi.waitFor(() => expect(gone.phone.call.isOver).toBe(true), PATIENCE)
  await expectNoLiveRows(bellhop)
  const reasons = await bellhop.db.sql`select end_reason from calls order by id`
  expect(reasons.map(({ end_reason }) => end_reason)).toEqual(['employee_hung_up', 'customer_hung_up'])
})

test('a participant who sends no audio but responds is probed repeatedly, and is not hung up', async () => {
  const { customer, phone, wire } = await talk()
  phone.shutUp()
  await phone.isAsked()
  await phone.isAsked()
  phone.say(700)
  await Promise.all([customer.hears(700), phone.hears(440)])
  customer.hangUp()
  await phone.ended()
  await expectNoLiveRows(bellhop)
  wire.close()
})

test('a coworker who sends no audio is probed alone, and a call to a number of the company goes on', async () => {
  const company = await bellhop.newCompany()
  const anna = await hire(company, 'Anna', 700)
  const bob = await hire(company, 'Bob', 800)
  const { number } = await numberWith(bellhop, company, { type: 'TransferConfig', employee_ids: [bob.id] })
  const annasPhone = await anna.dial(number)
  await annasPhone.answered()
  const bobsPhone = await bob.rings()
  await bobsPhone.answer()
  await Promise.all([annasPhone.hears(800), bobsPhone.hears(700)])
  bobsPhone.shutUp()
  // Each probe comes after a silence in which the edge also asks its own side of the call.
  await bobsPhone.isAsked()
  await bobsPhone.isAsked()
  bobsPhone.say(800)
  await Promise.all([annasPhone.hears(800), bobsPhone.hears(700)])
  annasPhone.hangUp()
  await bobsPhone.ended()
  await expectNoLiveRows(bellhop)
})

test('a phone that vanished while ringing rings again when it returns', async () => {
  const company = await bellhop.newCompany()
  const wire = await startLossyRelay(edge.port, 0)
  const anna = await phoneSystem.hireAt(wire.port)(company, 'Anna', 700)
  const { number } = await numberWith(bellhop, company, { type: 'TransferConfig', employee_ids: [anna.id] })
  const customer = await dial(number)
  await customer.connected()
  await anna.rings()
  wire.close()
  const back = await startRegisteredPhone({ ...anna.device, port: edge.port })
  await back.registered()
  expect(back.calls.waiting).toEqual([])
  await eventually(() => {
    bellhop.clock.advance(60_000)
    expect(back.calls.waiting.length).toBeGreaterThan(0)
  })
  customer.hangUp()
  await expectNoLiveRows(bellhop)
})

test('an employee whose phone does not respond at all is no longer rung, and the next one rings', async () => {
  const company = await bellhop.newCompany()
  const wire = await startLossyRelay(edge.port, 0)
  const anna = await phoneSystem.hireAt(wire.port)(company, 'Anna', 700)
  const bob = await hire(company, 'Bob', 800)
  const flow = { type: 'TransferConfig', employee_ids: [anna.id, bob.id] }
  const { number } = await numberWith(bellhop, company, flow)
  wire.close()
  const customer = await dial(number)
  await customer.connected()
  const phone = await bob.rings()
  await phone.answer()
  await customer.hears(800)
  expect((await company.api.get(`/employees/${anna.id}`)).body.status).toBe('available')
  customer.hangUp()
  await expectNoLiveRows(bellhop)
})
