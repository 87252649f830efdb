import { expect, test, vi } from 'vitest'

import { callIs, eventually } from '../harness/calls/call-events.ts'
import { numberWith, openPhoneSystem } from '../harness/calls/phone-system.ts'

vi.setConfig({ testTimeout: 90_000 })

const { bellhop, hire, callee, edge } = await openPhoneSystem()

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
