import { expect, test } from 'vitest'

import { MEDIA_LIMITS } from '../../server/media/limits.ts'
import { TELEPHONY_LIMITS } from '../../server/telephony/limits.ts'
import { eventually } from '../harness/calls/call-events.ts'
import { numberWith, openPhoneSystem } from '../harness/calls/phone-system.ts'
import { expectNoLiveRows } from '../harness/processes/no-live-rows.ts'

/** With the limits of production. */
const phoneSystem = await openPhoneSystem()
const { bellhop, dial, hire } = phoneSystem

/** A machine that is busy with other things finds them later, but not because of these limits. */
test('the limits of production find a participant who has vanished within 15 s', () => {
  const { quietMs, idleLegMs } = MEDIA_LIMITS
  expect(quietMs + idleLegMs + TELEPHONY_LIMITS.probeMs).toBeLessThan(15_000)
})

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

test('a queued caller whose network died is found, and is no longer offered to anybody', async () => {
  const { carrier, customer, phone, status } = await queuedCaller()
  customer.shutUp()
  await carrier.close()
  expect(await phone.ended()).toEqual({ why: 'cancelled' })
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

test('a customer whose network died during a conversation is found', async () => {
  const { carrier, customer, phone } = await queuedCaller()
  await phone.answer()
  await customer.hears(700)
  customer.shutUp()
  await carrier.close()
  await phone.ended()
  await expectNoLiveRows(bellhop)
})
