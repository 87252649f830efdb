import { expect, onTestFinished, test } from 'vitest'

import { setOutsideTransfers } from '../../server/modules/company/index.ts'
import { callIs, eventually } from '../harness/calls/call-events.ts'
import { employeeWithLinphone } from '../harness/calls/linphone-employee.ts'
import { numberWith, openPhoneSystem } from '../harness/calls/phone-system.ts'
import type { TestCompany } from '../harness/index.ts'
import { expectNoLiveRows } from '../harness/processes/no-live-rows.ts'
import { startBaresip } from '../harness/sip/baresip.ts'

const { bellhop, callee, dial, hire, edge } = await openPhoneSystem()

const LINPHONE_HZ = 700
const BARESIP_HZ = 600

async function extensionOf(company: TestCompany, { id }: { id: string }): Promise<string> {
  const { extensions } = (await company.api.get('/extensions')).body
  return extensions.find((one: { employee_id: string }) => one.employee_id === id).extension
}

/** A customer talks to an employee's Linphone, and Bob is available. */
async function linphoneConversation() {
  const company = await bellhop.newCompany()
  const bob = await hire(company, 'Bob', 800)
  const { id, linphone } = await employeeWithLinphone(bellhop, company, LINPHONE_HZ)
  const { number } = await numberWith(bellhop, company, { type: 'TransferConfig', employee_ids: [id] })
  const customer = await dial(number)
  await customer.connected()
  await eventually(() => expect(linphone.output()).toContain('Receiving new incoming call'))
  linphone.command('answer')
  await eventually(() => expect(linphone.output()).toContain('connected.'))
  linphone.speak()
  await customer.hears(LINPHONE_HZ)
  const call = await callIs(company, 'bridged')
  return {
    company,
    bob,
    linphone,
    customer,
    callId: call.id as string,
    bobsExtension: await extensionOf(company, bob),
  }
}

/** A customer talks to Anna's baresip, and Bob is available. */
async function baresipConversation() {
  const company = await bellhop.newCompany()
  const [anna, bob] = [await hire(company, 'Anna', 700), await hire(company, 'Bob', 800)]
  const { username: user, password } = anna.device
  const { port } = edge
  const baresip = await startBaresip({
    user,
    password,
    port,
    protocol: 'udp',
    answers: 'auto',
    hz: BARESIP_HZ,
  })
  onTestFinished(() => baresip.stop())
  await eventually(async () => {
    const lines = await bellhop.db.sql`select from device_registrations where username = ${user}`
    expect(lines).toHaveLength(2)
  })
  const { number } = await numberWith(bellhop, company, { type: 'TransferConfig', employee_ids: [anna.id] })
  const customer = await dial(number)
  await customer.connected()
  await baresip.event('CALL_ESTABLISHED')
  await customer.hears(BARESIP_HZ)
  const call = await callIs(company, 'bridged')
  return {
    company,
    bob,
    baresip,
    customer,
    callId: call.id as string,
    bobsExtension: await extensionOf(company, bob),
  }
}

/** The customer hangs up: it was a single call. */
async function wasOneCall(
  company: TestCompany,
  customer: { hangUp(): void },
  callId: string,
  names: string[],
) {
  customer.hangUp()
  const call = await callIs(company, 'ended')
  expect(call.id).toBe(callId)
  expect(call.employees.map(({ name }: { name: string }) => name).toSorted()).toEqual(names)
  await expectNoLiveRows(bellhop)
}

test('Linphone transfers its customer to an extension', async () => {
  const { company, bob, linphone, customer, callId, bobsExtension } = await linphoneConversation()
  linphone.command(`transfer sip:${bobsExtension}@127.0.0.1:${edge.port}`)
  const bobsPhone = await bob.rings()
  await bobsPhone.answer()
  await Promise.all([customer.hears(800), bobsPhone.hears(440)])
  await eventually(() => expect(linphone.output()).toMatch(/Call \d+ with .* ended/))
  await wasOneCall(company, customer, callId, ['Bob', 'Åse Ørsted'])
})

test('baresip transfers its customer to an extension', async () => {
  const { company, bob, baresip, customer, callId, bobsExtension } = await baresipConversation()
  baresip.command('transfer', `sip:${bobsExtension}@127.0.0.1:${edge.port}`)
  const bobsPhone = await bob.rings()
  await bobsPhone.answer()
  await Promise.all([customer.hears(800), bobsPhone.hears(440)])
  await baresip.event('CALL_CLOSED')
  await wasOneCall(company, customer, callId, ['Anna', 'Bob'])
})

test('Linphone joins its customer with the coworker it has called', async () => {
  const { company, bob, linphone, customer, callId, bobsExtension } = await linphoneConversation()
  linphone.command('pause')
  await eventually(() => expect(linphone.output()).toContain('paused'))
  linphone.command(`call sip:${bobsExtension}@127.0.0.1:${edge.port}`)
  const bobsPhone = await bob.rings()
  await bobsPhone.answer()
  await eventually(() => expect(linphone.output()).toMatch(/Call 2 with .* connected/))
  linphone.speak()
  await bobsPhone.hears(LINPHONE_HZ)
  linphone.command('transfer 1 --to-call 2')
  await Promise.all([customer.hears(800), bobsPhone.hears(440)])
  for (const id of [1, 2])
    await eventually(() => expect(linphone.output()).toMatch(new RegExp(`Call ${id} with .* ended`)))
  await wasOneCall(company, customer, callId, ['Bob', 'Åse Ørsted'])
})

test('Linphone transfers its customer to a number outside', async () => {
  const { company, linphone, customer, callId } = await linphoneConversation()
  await bellhop.db.tx((tx) => setOutsideTransfers(tx, company.companyId, true))
  linphone.command(`transfer sip:+4520998877@127.0.0.1:${edge.port}`)
  const outside = await callee()
  await outside.answer()
  await Promise.all([customer.hears(500), outside.hears(440)])
  await eventually(() => expect(linphone.output()).toMatch(/Call \d+ with .* ended/))
  await wasOneCall(company, customer, callId, ['Åse Ørsted'])
})
