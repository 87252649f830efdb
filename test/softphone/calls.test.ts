import { randomUUID } from 'node:crypto'

import { expect, test } from 'vitest'

import { faultsInEveryLook } from '../harness/browser/axe.ts'
import { newSignInEmployee } from '../harness/browser/sign-in.ts'
import { newBrowserEmployee } from '../harness/browser/softphone.ts'
import { callIs, eventually } from '../harness/calls/call-events.ts'
import { CUSTOMER, numberWith, openPhoneSystem } from '../harness/calls/phone-system.ts'

const MINUTE_MS = 60_000

const { bellhop, browsers, dial, callee, hire } = await openPhoneSystem()

/** Anna is at her browser, and a number rings her. */
async function annaAtWork() {
  const company = await bellhop.newCompany()
  const anna = await newBrowserEmployee(bellhop, company, 'Anna', 700)
  const number = await numberWith(bellhop, company, { type: 'TransferConfig', employee_ids: [anna.id] })
  await anna.is('ready')
  return { company, anna, ...number }
}

/** Anna talks to a customer. */
async function conversation() {
  const scene = await annaAtWork()
  await scene.company.api.post('/contacts', { phone: CUSTOMER, name: 'Mikkel Dahl' })
  const customer = await dial(scene.number)
  await customer.connected()
  await scene.anna.is('ringing')
  await scene.anna.press('Answer')
  await Promise.all([customer.hears(700), scene.anna.hears(440)])
  return { ...scene, customer, call: await callIs(scene.company, 'bridged') }
}

test('a call rings in a browser with the name of the caller; once answered, both hear each other, also after hold and a reload', async () => {
  const { company, anna, number } = await annaAtWork()
  await company.api.post('/contacts', { phone: CUSTOMER, name: 'Mikkel Dahl' })
  const customer = await dial(number)
  await customer.connected()
  await anna.is('ringing')
  await anna.says('Mikkel Dahl')
  await anna.says('calls Fixture')
  await anna.press('Answer')
  await Promise.all([customer.hears(700), anna.hears(440)])
  const { id } = await callIs(company, 'bridged')

  await anna.press('Hold')
  await anna.is('held')
  await anna.press('Resume')
  await anna.is('talking')
  await Promise.all([customer.hears(700), anna.hears(440)])

  await anna.page.reload()
  await anna.is('talking')
  await Promise.all([customer.hears(700), anna.hears(440)])
  expect(await callIs(company, 'bridged')).toMatchObject({ id })

  await anna.press('Hang up')
  await customer.ended()
  await callIs(company, 'ended')
  await anna.is('ready')
})

test('an attended transfer between two browsers', async () => {
  const { company, anna, customer, call } = await conversation()
  const bob = await newBrowserEmployee(bellhop, company, 'Bob', 800)
  await bob.is('ready')
  await newSignInEmployee(bellhop, company)
  for (const name of ['Carl', 'Dina', 'Eva'])
    await company.api.post('/employees', { name, email: `${randomUUID()}@example.com` })
  const zoe = await hire(company, 'Zoe', 900)
  await company.api.put(`/employees/${zoe.id}/do_not_disturb`, { enabled: true })
  await anna.press('Transfer')
  const group = anna.phone.getByRole('group', { name: 'Transfer the call' })
  await eventually(async () =>
    expect(await group.getByRole('listitem').allInnerTexts()).toEqual([
      expect.stringMatching(/^Bob\s+Available$/),
      expect.stringMatching(/^Zoe\s+Do not disturb$/),
      expect.stringMatching(/^Åse Ørsted\s+Signed out$/),
      expect.stringMatching(/^Carl\s+Signed out$/),
      expect.stringMatching(/^Dina\s+Signed out$/),
      expect.stringMatching(/^Eva\s+Signed out$/),
      expect.stringMatching(/^Owner\s+Signed out$/),
    ]),
  )
  await group.getByLabel('Find a person or a number').fill('øRST')
  expect(await group.getByRole('listitem').count()).toBe(1)
  await group.getByLabel('Find a person or a number').fill('')
  const away = anna.phone.getByRole('button', { name: /^Åse Ørsted.*Signed out$/ })
  await eventually(async () => expect(await away.isDisabled()).toBe(true))
  await anna.press(/Bob.*Available/)
  await anna.says('Ringing Bob')
  await anna.says('Mikkel Dahl is on hold and hears music.')
  await bob.is('ringing')
  await bob.says('Anna asks you to take a call')
  await bob.press('Answer')
  await Promise.all([anna.hears(800), bob.hears(700)])
  await anna.says('You are talking to Bob')
  await anna.says('Mikkel Dahl talks to Bob; you leave the call.')
  await bob.says('You talk to Mikkel Dahl; Anna leaves the call.')
  expect(await faultsInEveryLook(anna.page)).toEqual([])
  await anna.press('Complete the transfer')
  await Promise.all([customer.hears(800), bob.hears(440)])
  await anna.is('ready')
  customer.hangUp()
  await bob.is('ready')
  const ended = await callIs(company, 'ended')
  expect(ended).toMatchObject({ id: call.id, employees: [{ name: 'Anna' }, { name: 'Bob' }] })
})

test('a browser places a call from the chosen number', async () => {
  const { company, anna } = await annaAtWork()
  const second = await numberWith(bellhop, company, { type: 'TransferConfig', employee_ids: [anna.id] })
  await anna.page.reload()
  await anna.is('ready')
  await anna.press(/Open the phone/)
  await anna.phone.getByLabel('Number to call').fill('20 11 22 33')
  await anna.phone.getByLabel('Show').selectOption(second.id)
  await anna.press('Call')
  const other = await callee()
  expect(other.call.from.uri).toMatchObject({ user: second.number })
  await anna.is('dialling')
  await other.answer()
  await Promise.all([other.hears(700), anna.hears(500)])
  await anna.is('talking')
  other.hangUp()
  await anna.is('ready')
  await callIs(company, 'ended')
})

test('a conversation survives a lost connection of the browser, which says so and reconnects by itself', async () => {
  const { company, anna, customer } = await conversation()
  browsers.shut()
  await anna.says(/The connection is lost/)
  await Promise.all([customer.hears(700), anna.hears(440)])
  browsers.open()
  await eventually(async () => expect(await anna.phone.getByText(/The connection is lost/).count()).toBe(0))
  await anna.press('Hang up')
  await customer.ended()
  await callIs(company, 'ended')
})

test('a call that ends while the browser is offline ends there too when it reconnects', async () => {
  const { company, anna, customer } = await conversation()
  browsers.shut()
  await anna.says(/The connection is lost/)
  customer.hangUp()
  await callIs(company, 'ended')
  browsers.open()
  await anna.is('ended')
  await anna.says('The call was lost')
  const next = await dial((await company.api.get('/business_numbers')).body.main_numbers[0].number)
  await next.connected()
  await anna.is('ringing')
  await anna.press('Decline')
  await anna.is('ready')
})

test('a browser without a microphone says so, and still rings', async () => {
  const company = await bellhop.newCompany()
  const anna = await newBrowserEmployee(bellhop, company, 'Anna')
  const { number } = await numberWith(bellhop, company, { type: 'TransferConfig', employee_ids: [anna.id] })
  await anna.is('ready')
  const customer = await dial(number)
  await customer.connected()
  await anna.is('ringing')
  await anna.press('Answer')
  await anna.says(/microphone/)
  await anna.is('ringing')
  await anna.press('Decline')
  await anna.is('ready')
})

test('do not disturb is set for a while, the microphone level is shown, and keys mute and hang up', async () => {
  const { company, anna, customer } = await conversation()
  const meter = anna.phone.getByRole('meter', { name: 'Microphone level' })
  await eventually(async () =>
    expect(await meter.evaluate((shown) => (shown as HTMLMeterElement).value)).toBeGreaterThan(0.5),
  )
  const silent = () => {
    const heard = customer.last(400)
    return heard?.every((sample) => Math.abs(sample) < 200) ?? false
  }
  await anna.page.keyboard.press('Alt+Shift+M')
  await anna.phone.getByRole('button', { name: 'Unmute' }).waitFor()
  await eventually(() => expect(silent()).toBe(true))
  await anna.page.keyboard.press('Alt+Shift+M')
  await customer.hears(700)
  await anna.press(/^Your status: On a call/)
  const before = Date.now()
  await anna.page.getByRole('menuitem', { name: 'For an hour' }).click()
  await eventually(async () => {
    const { body } = await company.api.get(`/employees/${anna.id}/do_not_disturb`)
    expect(body).toMatchObject({ enabled: true, expires_at: expect.any(String) })
    const until = Date.parse(body.expires_at)
    expect(until).toBeGreaterThanOrEqual(before + 60 * MINUTE_MS)
    expect(until).toBeLessThanOrEqual(Date.now() + 60 * MINUTE_MS)
  })
  await anna.phone.getByRole('button', { name: /Do not disturb until \d/ }).waitFor()
  await anna.page.keyboard.press('Alt+Shift+H')
  await customer.ended()
  await anna.is('ready')
})
