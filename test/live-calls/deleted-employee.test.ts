import { expect, test } from 'vitest'

import { callIs, eventually } from '../harness/calls/call-events.ts'
import { startConversation } from '../harness/calls/conversation.ts'
import { type Employee, numberWith, openPhoneSystem } from '../harness/calls/phone-system.ts'
import type { TestCompany } from '../harness/index.ts'

const phoneSystem = await openPhoneSystem()
const { bellhop, hire, dial, callee } = phoneSystem

/** Deletes the employee, whom no call flow rings any more. */
async function remove(company: TestCompany, { id }: Employee): Promise<void> {
  const { main_numbers } = (await company.api.get('/business_numbers')).body
  for (const number of main_numbers) {
    const closed = { type: 'RejectConfig', message: 'Vi har lukket.' }
    const put = await company.api.put(`/business_numbers/${number.id}/incoming_call_config`, closed)
    expect(put.status).toBe(200)
  }
  expect((await company.api.delete(`/employees/${id}`)).status).toBe(204)
}

const transferIs = (employee: Employee, state: string) =>
  eventually(async () =>
    expect((await employee.api.get('/calls/active')).body.transfer).toMatchObject({ state }),
  )

test('deleting an employee who talks to a customer ends the call, which still names them', async () => {
  const { company, anna, annasPhone, customer, call } = await startConversation(phoneSystem)
  await remove(company, anna)
  expect(await annasPhone.ended()).toEqual({ why: 'hungUp', by: 'peer' })
  expect(await customer.ended()).toEqual({ why: 'hungUp', by: 'peer' })
  await callIs(company, 'ended')
  expect((await company.api.get(`/calls/${call.id}`)).body.employees).toEqual([{ id: anna.id, name: 'Anna' }])
})

test('deleting the controller of a transfer gives the customer to the coworker who has answered', async () => {
  const { company, anna, bob, annasPhone, customer, call } = await startConversation(phoneSystem)
  expect((await anna.api.post(`/calls/${call.id}/transfers`, { employee_id: bob.id })).status).toBe(201)
  const bobsPhone = await bob.rings()
  await bobsPhone.answer()
  await transferIs(anna, 'consulting')
  await remove(company, anna)
  expect(await annasPhone.ended()).toEqual({ why: 'hungUp', by: 'peer' })
  await Promise.all([customer.hears(800), bobsPhone.hears(440)])
  customer.hangUp()
  const ended = await callIs(company, 'ended')
  expect(ended.employees).toEqual([
    { id: anna.id, name: 'Anna' },
    { id: bob.id, name: 'Bob' },
  ])
})

test('deleting the coworker of a transfer connects the customer with the controller again', async () => {
  const { company, anna, bob, customer, call } = await startConversation(phoneSystem)
  expect((await anna.api.post(`/calls/${call.id}/transfers`, { employee_id: bob.id })).status).toBe(201)
  const bobsPhone = await bob.rings()
  await bobsPhone.answer()
  await transferIs(anna, 'consulting')
  await remove(company, bob)
  expect(await bobsPhone.ended()).toEqual({ why: 'hungUp', by: 'peer' })
  await customer.hears(700)
})

test('deleting an employee who dials hangs up before the customer answers, and the call names them', async () => {
  const company = await bellhop.newCompany()
  const anna = await hire(company, 'Anna', 700)
  await numberWith(bellhop, company, { type: 'TransferConfig', employee_ids: [anna.id] })
  await anna.dial('20112233')
  const other = await callee()
  await remove(company, anna)
  expect(await other.ended()).toEqual({ why: 'cancelled' })
  const call = await callIs(company, 'ended')
  expect(call.initiated_by).toEqual({ id: anna.id, name: 'Anna' })
})

test('deleting an employee whose phone rings keeps the caller waiting for the others', async () => {
  const company = await bellhop.newCompany()
  const anna = await hire(company, 'Anna', 700)
  const bob = await hire(company, 'Bob', 800)
  const flow = { type: 'TransferConfig', employee_ids: [anna.id, bob.id] }
  const { number } = await numberWith(bellhop, company, flow)
  const caller = await dial(number)
  await caller.connected()
  const [annasRing, bobsRing] = await Promise.all([anna.rings(), bob.rings()])
  await remove(company, anna)
  expect(await annasRing.ended()).toEqual({ why: 'cancelled' })
  await bobsRing.answer()
  await caller.hears(800)
})
