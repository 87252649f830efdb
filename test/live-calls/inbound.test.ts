import { expect, test, vi } from 'vitest'

import { soon } from '../harness/call-watch.ts'
import { numberWith, openOffice } from '../harness/office.ts'

vi.setConfig({ testTimeout: 120_000 })

const { bellhop, dial, hire } = await openOffice()

test('a caller and the employee who answers hear each other, and the call is told of from beginning to end', async () => {
  const company = await bellhop.newCompany()
  const anna = await hire(company, 'Anna', 700)
  const number = await numberWith(bellhop, company, { type: 'TransferConfig', employee_ids: [anna.id] })
  const caller = await dial(number.number)
  await caller.connected()
  const ring = await anna.rings()
  expect((await anna.api.get(`/employees/${anna.id}`)).body.status).toBe('ringing')
  await ring.answer()
  await Promise.all([caller.hears(700), ring.hears(440)])
  const { calls } = (await company.api.get('/calls')).body
  expect(calls).toMatchObject([{ state: 'bridged', direction: 'inbound', employees: [{ id: anna.id }] }])
  expect((await anna.api.get(`/employees/${anna.id}`)).body.status).toBe('on_call')
  caller.hangUp()
  await ring.ended()
  await soon(async () => {
    const call = (await company.api.get(`/calls/${calls[0].id}`)).body
    expect(call).toMatchObject({ state: 'ended', duration: expect.any(Number) })
  })
  expect((await anna.api.get(`/employees/${anna.id}`)).body.status).toBe('available')
})
