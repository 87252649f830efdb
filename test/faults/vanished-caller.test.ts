import { expect, test } from 'vitest'

import { eventually } from '../harness/calls/call-events.ts'
import { numberWith, openPhoneSystem } from '../harness/calls/phone-system.ts'
import { expectNoLiveRows } from '../harness/processes/no-live-rows.ts'

/** With the limits of production. */
const phoneSystem = await openPhoneSystem()
const { bellhop, dial, hire } = phoneSystem

const FOUND_WITHIN_MS = 15_000

/** A caller waits in the queue while Anna's phone rings. */
async function queuedCaller() {
  const company = await bellhop.newCompany()
  const anna = await hire(company, 'Anna', 700)
  const { number } = await numberWith(bellhop, company, { type: 'TransferConfig', employee_ids: [anna.id] })
  const carrier = await phoneSystem.newCarrier()
  const customer = await dial(number, { by: carrier })
  await customer.connected()
  const phone = await anna.rings()
  const status = async () => (await company.api.get(`/employees/${anna.id}`)).body.status
  return { carrier, customer, phone, status }
}

test('a queued caller whose network died is found within 15 s, and is no longer offered to anybody', async () => {
  const { carrier, customer, phone, status } = await queuedCaller()
  const startMs = performance.now()
  customer.shutUp()
  await carrier.close()
  expect(await phone.ended()).toEqual({ why: 'cancelled' })
  expect(performance.now() - startMs).toBeLessThan(FOUND_WITHIN_MS)
  await eventually(async () => expect(await status()).toBe('available'))
  await expectNoLiveRows(bellhop)
})

test('a queued caller who sends nothing, and refuses the probe, stays in the queue', async () => {
  const { customer, phone } = await queuedCaller()
  customer.shutUp()
  const probe = await customer.isAsked()
  probe.refuse(488)
  await phone.answer()
  await customer.hears(700)
  customer.hangUp()
  await phone.ended()
  await expectNoLiveRows(bellhop)
})

test('a customer whose network died during a conversation is found within 15 s', async () => {
  const { carrier, customer, phone } = await queuedCaller()
  await phone.answer()
  await customer.hears(700)
  const startMs = performance.now()
  customer.shutUp()
  await carrier.close()
  await phone.ended()
  expect(performance.now() - startMs).toBeLessThan(FOUND_WITHIN_MS)
  await expectNoLiveRows(bellhop)
})
