import { expect, test } from 'vitest'

import { callIs, followCallEvents } from '../harness/calls/call-events.ts'
import { numberWith, openPhoneSystem } from '../harness/calls/phone-system.ts'
import { expectNoLiveRows } from '../harness/processes/no-live-rows.ts'
import { startLossyRelay } from '../harness/sip/lossy-relay.ts'

const phoneSystem = await openPhoneSystem({ BELLHOP_WEBHOOKS_ALLOW_INSECURE: '1' })
const { bellhop, dial, edge } = phoneSystem

test('calls are established and end, once each, although messages are lost and duplicated', async () => {
  const company = await bellhop.newCompany()
  const wires = [await startLossyRelay(edge.port, 0.2, 0.2), await startLossyRelay(edge.port, 0.2, 0.2)]
  const [toCarrier, toPhones] = wires as [(typeof wires)[0], (typeof wires)[0]]
  const by = await phoneSystem.newCarrier(toCarrier.port)
  const hire = phoneSystem.hireAt(toPhones.port)
  const anna = await hire(company, 'Anna', 700)
  const bob = await hire(company, 'Bob', 800)
  const { number } = await numberWith(bellhop, company, { type: 'TransferConfig', employee_ids: [anna.id] })
  const told = await followCallEvents(bellhop, company)
  for (let round = 0; round < 3; round++) {
    const customer = await dial(number, { by })
    await customer.connected()
    const phone = await anna.rings()
    await phone.answer()
    await Promise.all([customer.hears(700), phone.hears(440)])
    const { id } = await callIs(company, 'bridged')
    expect((await anna.api.post(`/calls/${id}/transfers`, { employee_id: bob.id })).status).toBe(201)
    const bobsPhone = await bob.rings()
    await bobsPhone.answer()
    await Promise.all([phone.hears(800), bobsPhone.hears(700)])
    phone.hangUp()
    await Promise.all([customer.hears(800), bobsPhone.hears(440)])
    const last = round === 0 ? bobsPhone : customer
    last.hangUp()
    await expectNoLiveRows(bellhop)
  }
  for (const { counts } of wires) {
    expect(counts.lost).toBeGreaterThan(0)
    expect(counts.repeated).toBeGreaterThan(0)
  }
  const events = (await told()).map(({ event }) => event)
  const one = ['call.initiated', 'call.queued', 'call.answered', 'call.ended']
  expect(events).toEqual([...one, ...one, ...one])
  for (const wire of wires) wire.close()
})
