import { expect, test } from 'vitest'

import { holdRejoining, microphone, newBrowserEmployee } from '../harness/browser/softphone.ts'
import { callIs, eventually } from '../harness/calls/call-events.ts'
import { numberWith, openPhoneSystem } from '../harness/calls/phone-system.ts'

const { bellhop, browsers, dial, callee } = await openPhoneSystem()

async function annaAtWork() {
  const company = await bellhop.newCompany()
  const anna = await newBrowserEmployee(bellhop, company, 'Anna', 700)
  const { number } = await numberWith(bellhop, company, { type: 'TransferConfig', employee_ids: [anna.id] })
  await anna.is('ready')
  return { company, anna, number }
}

const isAvailable = ({ company, anna }: Pick<Awaited<ReturnType<typeof annaAtWork>>, 'company' | 'anna'>) =>
  eventually(async () =>
    expect((await company.api.get(`/employees/${anna.id}`)).body.status).toBe('available'),
  )

test('a caller rings again as soon as the page is loaded again, or has its connection back', async () => {
  const { anna, number } = await annaAtWork()
  const customer = await dial(number)
  await customer.connected()
  await anna.is('ringing')
  await anna.page.reload()
  await anna.is('ringing')

  browsers.shut()
  await anna.is('ended')
  browsers.open()
  await anna.is('ringing')
  await anna.press('Answer')
  await Promise.all([customer.hears(700), anna.hears(440)])
  customer.hangUp()
  await anna.is('ready')
})

test('a caller who hangs up while the page has no connection does not ring when it is back', async () => {
  const { company, anna, number } = await annaAtWork()
  const customer = await dial(number)
  await customer.connected()
  await anna.is('ringing')
  browsers.shut()
  await anna.is('ended')
  customer.hangUp()
  await callIs(company, 'ended')
  browsers.open()
  await anna.page.getByRole('button', { name: 'Your status: Ready' }).first().waitFor({ timeout: 30_000 })
  await isAvailable({ company, anna })
  expect(await anna.phone.getByRole('button', { name: 'Answer' }).count()).toBe(0)
})

test('a caller who hangs up while the page is loaded again has ended the call', async () => {
  const { company, anna, number } = await annaAtWork()
  const customer = await dial(number)
  await customer.connected()
  await anna.is('ringing')
  await anna.press('Answer')
  await anna.is('talking')
  const rejoining = await holdRejoining(anna.page)
  await anna.page.reload()
  await anna.is('dialling')
  customer.hangUp()
  await callIs(company, 'ended')
  rejoining.release()
  await anna.says('The call has ended')
  await anna.is('ready')
})

test('a call that is being dialled ends at the other end too when the page is loaded again', async () => {
  const { company, anna } = await annaAtWork()
  await anna.press(/Open the phone/)
  await anna.phone.getByLabel('Number to call').fill('+4520998877')
  await anna.page.keyboard.press('Enter')
  const called = await callee()
  await anna.is('dialling')
  await anna.page.reload()
  await called.ended()
  await anna.is('ready')
  await callIs(company, 'ended')
  await isAvailable({ company, anna })
})

test('a conversation goes on while the browser is offline, and can be held when it is back', async () => {
  const { anna, number } = await annaAtWork()
  const customer = await dial(number)
  await customer.connected()
  await anna.is('ringing')
  await anna.press('Answer')
  await Promise.all([customer.hears(700), anna.hears(440)])
  await anna.page.context().setOffline(true)
  const banner = anna.page.getByText(/^(You are offline|Bellhop cannot be reached)\.$/)
  await banner.waitFor({ timeout: 30_000 })
  await anna.page.context().setOffline(false)
  await banner.waitFor({ timeout: 30_000, state: 'detached' })
  await Promise.all([customer.hears(700), anna.hears(440)])
  await anna.press('Hold')
  await anna.is('held')
  await anna.press('Resume')
  await anna.is('talking')
  customer.hangUp()
  await anna.is('ready')
})

test('a conversation whose tab crashes goes on in a new one', async () => {
  const { company, anna, number } = await annaAtWork()
  const customer = await dial(number)
  await customer.connected()
  await anna.is('ringing')
  await anna.press('Answer')
  await Promise.all([customer.hears(700), anna.hears(440)])
  const crashed = anna.page.waitForEvent('crash')
  await anna.page.goto('chrome://crash').catch(() => {})
  await crashed
  const tab = await anna.newTab(microphone(900))
  await tab.is('talking')
  await Promise.all([customer.hears(900), tab.hears(440)])
  await tab.press('Hang up')
  await customer.ended()
  await callIs(company, 'ended')
})

test('a conversation goes on when the session of the page ends', async () => {
  const { anna, number } = await annaAtWork()
  const customer = await dial(number)
  await customer.connected()
  await anna.is('ringing')
  await anna.press('Answer')
  await Promise.all([customer.hears(700), anna.hears(440)])
  await bellhop.db.sql`delete from sessions`
  await anna.page.getByRole('dialog', { name: 'You are signed out' }).waitFor({ timeout: 30_000 })
  await Promise.all([customer.hears(700), anna.hears(440)])
  customer.hangUp()
})
