import { expect, test } from 'vitest'

import { newBrowserEmployee } from '../harness/browser/softphone.ts'
import { eventually } from '../harness/calls/call-events.ts'
import { numberWith, openPhoneSystem } from '../harness/calls/phone-system.ts'
import { joining, replacesOf } from '../harness/sip/replaces.ts'

const { bellhop, dial, edge, hire } = await openPhoneSystem()

async function office() {
  const company = await bellhop.newCompany()
  const bob = await hire(company, 'Bob Lund', 800)
  const anna = await newBrowserEmployee(bellhop, company, 'Anna Holm', 700)
  await anna.is('ready')
  const { extensions } = (await company.api.get('/extensions')).body
  const extensionOf = (id: string): string =>
    extensions.find((one: { employee_id: string }) => one.employee_id === id).extension
  return { company, anna, bob, extensionOf }
}

test('a coworker is found by name in the dial field, and the call goes on after hold and a reload', async () => {
  const { company, anna, bob, extensionOf } = await office()
  await anna.press(/Open the phone/)
  const field = anna.phone.getByLabel('Number to call')
  await field.fill('zz')
  expect(await anna.phone.getByRole('button', { name: 'Call', exact: true }).isDisabled()).toBe(true)
  await field.fill('anna')
  expect(await anna.phone.getByRole('list', { name: 'Coworkers' }).count()).toBe(0)
  await field.fill('lun')
  await anna.press(new RegExp(`Bob Lund.*${extensionOf(bob.id)}`))
  const phone = await bob.rings()
  expect(phone.call.from).toMatchObject({ name: 'Anna Holm', uri: { user: extensionOf(anna.id) } })
  await anna.is('dialling')
  await anna.says('Bob Lund')
  await phone.answer()
  await anna.is('talking')
  await Promise.all([phone.hears(700), anna.hears(800)])
  expect(await anna.phone.getByRole('button', { name: 'Transfer' }).count()).toBe(0)

  await anna.press('Hold')
  await anna.is('held')
  await anna.press('Resume')
  await anna.is('talking')
  await Promise.all([phone.hears(700), anna.hears(800)])

  await anna.page.reload()
  await anna.is('talking')
  await anna.says('Bob Lund')
  await Promise.all([phone.hears(700), anna.hears(800)])
  phone.hangUp()
  await anna.is('ready')
  await eventually(async () =>
    expect((await company.api.get('/calls?direction=internal')).body.calls).toMatchObject([
      { state: 'ended', to_employee: { name: 'Bob Lund' } },
    ]),
  )
  await anna.page.goto(new URL('/calls?direction=internal', anna.page.url()).href)
  await anna.page.getByText('Anna Holm called Bob Lund').waitFor()
})

test('a coworker’s call rings in the browser with their name', async () => {
  const { anna, bob, extensionOf } = await office()
  const call = await bob.dial(extensionOf(anna.id))
  await anna.is('ringing')
  await anna.says('Bob Lund')
  await anna.press('Answer')
  await call.answered()
  await Promise.all([call.hears(700), anna.hears(800)])
  await anna.press('Hang up')
  await call.ended()
  await anna.is('ready')
})

test('an extension is dialled by its digits', async () => {
  const { anna, bob, extensionOf } = await office()
  await anna.press(/Open the phone/)
  await anna.phone.getByLabel('Number to call').fill(extensionOf(bob.id))
  await anna.press('Call')
  const phone = await bob.rings()
  phone.decline()
  await anna.says('The line is busy')
})

test('a coworker’s call becomes the customer’s when the coworker puts them through, also after a reload', async () => {
  const { company, anna, bob, extensionOf } = await office()
  const { number } = await numberWith(bellhop, company, { type: 'TransferConfig', employee_ids: [bob.id] })
  const customer = await dial(number)
  await customer.connected()
  const bobsPhone = await bob.rings()
  await bobsPhone.answer()
  await customer.hears(800)
  const inquiry = await bob.dial(extensionOf(anna.id))
  await anna.is('ringing')
  await anna.press('Answer')
  await inquiry.answered()
  await anna.is('talking')
  await anna.says('Bob Lund')
  const target = joining(`sip:anna@127.0.0.1:${edge.port}`, replacesOf(bob.trace, inquiry.call))
  expect(await bobsPhone.call.refer({ target }, () => {})).toBe(202)
  await Promise.all([customer.hears(700), anna.hears(440)])
  await anna.says('20 11 22 33')
  await anna.phone.getByRole('button', { name: 'Transfer' }).waitFor()

  await anna.page.reload()
  await anna.is('talking')
  await anna.says('20 11 22 33')
  await Promise.all([customer.hears(700), anna.hears(440)])
  await anna.press('Hang up')
  await customer.ended()
  await anna.is('ready')
})
