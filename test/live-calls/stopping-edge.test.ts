import { expect, onTestFinished, test, vi } from 'vitest'

import { startEdge } from '../../server/roles/edge.ts'
import { callIs, eventually } from '../harness/calls/call-events.ts'
import { numberWith, openPhoneSystem } from '../harness/calls/phone-system.ts'

vi.setConfig({ testTimeout: 90_000 })

const phoneSystem = await openPhoneSystem()
const { bellhop, hire, callee, dial, edge } = phoneSystem

test('an edge that drains also waits for a call that it began to relay to one of its phones meanwhile', async () => {
  const draining = await startEdge(bellhop.parts)
  onTestFinished(() => draining.stop())
  phoneSystem.connectCarrier('draining', draining.port)
  const company = await bellhop.newCompany()
  const atDraining = phoneSystem.hireAt(draining.port)
  const [anna, bob] = [await atDraining(company, 'Anna', 700), await atDraining(company, 'Bob', 800)]
  const toAnna = await numberWith(bellhop, company, { type: 'TransferConfig', employee_ids: [anna.id] })
  const toBob = await numberWith(bellhop, company, { type: 'TransferConfig', employee_ids: [bob.id] })
  const own = await dial(toAnna.number, { over: 'draining' })
  await own.connected()
  const annasPhone = await anna.rings()
  await annasPhone.answer()
  await Promise.all([own.hears(700), annasPhone.hears(440)])

  let isDrained = false
  const drained = draining.drain(60_000).then(() => (isDrained = true))
  const relayed = await dial(toBob.number)
  await relayed.connected()
  const bobsPhone = await bob.rings()
  await bobsPhone.answer()
  await Promise.all([relayed.hears(800), bobsPhone.hears(440)])
  own.hangUp()
  await annasPhone.ended()
  // The end of the call is stored when the edge no longer counts it.
  await eventually(async () =>
    expect((await company.api.get('/calls?state=ended')).body.calls).toHaveLength(1),
  )
  await Promise.all([relayed.hears(800), bobsPhone.hears(440)])
  expect(isDrained).toBe(false)
  relayed.hangUp()
  await drained
})

test('an edge that stops hangs up on a customer whom an employee called and transferred, and on the coworker', async () => {
  const company = await bellhop.newCompany()
  const anna = await hire(company, 'Anna', 700)
  const bob = await hire(company, 'Bob', 800)
  await numberWith(bellhop, company, { type: 'TransferConfig', employee_ids: [anna.id] })
  const annasPhone = await anna.dial('20112233')
  const customer = await callee()
  await customer.answer()
  await annasPhone.answered()
  const { id } = await callIs(company, 'bridged')
  const begun = await anna.api.post(`/calls/${id}/transfers`, { employee_id: bob.id })
  const bobsPhone = await bob.rings()
  await bobsPhone.answer()
  await eventually(async () => {
    expect((await anna.api.get('/calls/active')).body.transfer.state).toBe('consulting')
  })
  await anna.api.post(`/calls/${id}/transfers/${begun.body.transfer.id}/completion`)
  await annasPhone.ended()
  await customer.hears(800)

  const stopped = edge.stop()
  expect(await customer.ended()).toEqual({ why: 'hungUp', by: 'peer' })
  expect(await bobsPhone.ended()).toEqual({ why: 'hungUp', by: 'peer' })
  await stopped
  expect((await callIs(company, 'ended')).id).toBe(id)
})
