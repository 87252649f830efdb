import { expect, test } from 'vitest'

import { setOutsideTransfers } from '../../server/modules/company/index.ts'
import { faultsInEveryLook } from '../harness/browser/axe.ts'
import { holdRejoining, newBrowserEmployee } from '../harness/browser/softphone.ts'
import { callIs } from '../harness/calls/call-events.ts'
import { CUSTOMER, numberWith, openPhoneSystem } from '../harness/calls/phone-system.ts'

const PATIENCE = { timeout: 30_000 }
const { bellhop, dial, hire, callee, carrier } = await openPhoneSystem()

/** Mikkel talks to Anna at her browser, who opens the list of targets. Bob has a desk phone. */
async function conversation({ isAllowed = true } = {}) {
  const company = await bellhop.newCompany()
  await bellhop.db.tx((tx) => setOutsideTransfers(tx, company.companyId, isAllowed))
  await company.api.post('/contacts', { phone: CUSTOMER, name: 'Mikkel Dahl' })
  await company.api.post('/contacts', { phone: '+4520998877', name: 'Søren Vest' })
  const bob = await hire(company, 'Bob Lund', 800)
  const anna = await newBrowserEmployee(bellhop, company, 'Anna Holm', 700)
  await anna.is('ready')
  const { number } = await numberWith(bellhop, company, { type: 'TransferConfig', employee_ids: [anna.id] })
  const customer = await dial(number)
  await customer.connected()
  await anna.is('ringing')
  await anna.press('Answer')
  await Promise.all([customer.hears(700), anna.hears(440)])
  await anna.press('Transfer')
  const group = anna.phone.getByRole('group', { name: 'Transfer the call' })
  await group.waitFor(PATIENCE)
  return { company, anna, bob, customer, group }
}

test('a blind transfer says what it will do, returns if nobody takes it, and leaves Anna free if somebody does', async () => {
  const { company, anna, bob, customer, group } = await conversation()
  await anna.says('You talk to them first; the caller hears music meanwhile.')
  await group.getByLabel('At once').check({ force: true })
  await anna.says(/They get the caller as soon as they answer, and you leave/)
  await anna.press(/Bob Lund.*Available/)
  const declined = await bob.rings()
  await anna.says('Ringing Bob Lund')
  await anna.says(/Bob Lund gets Mikkel Dahl as soon as they answer/)
  expect(await faultsInEveryLook(anna.page)).toEqual([])
  declined.decline()
  await anna.page.getByText('Bob Lund did not take the call. You have the caller back.').waitFor(PATIENCE)
  await Promise.all([customer.hears(700), anna.hears(440)])

  await group.getByLabel('At once').check({ force: true })
  await anna.press(/Bob Lund.*Available/)
  const rung = await bob.rings()
  await anna.press('Return to the caller')
  await rung.ended()
  await Promise.all([customer.hears(700), anna.hears(440)])

  await group.getByLabel('At once').check({ force: true })
  await anna.press(/Bob Lund.*Available/)
  const taken = await bob.rings()
  await taken.answer()
  await Promise.all([anna.says('Bob Lund has the caller now'), customer.hears(800), taken.hears(440)])
  await anna.is('ready')
  customer.hangUp()
  await callIs(company, 'ended')
})

test('a contact outside is found by the server and gets the caller; the number can be typed as well', async () => {
  const { company, anna, customer, group } = await conversation()
  const search = group.getByLabel('Find a person or a number')
  await search.fill('soren')
  const outside = group.getByRole('group', { name: 'Outside the company' })
  await outside.getByRole('button', { name: /Søren Vest/ }).waitFor(PATIENCE)
  expect(await faultsInEveryLook(anna.page)).toEqual([])
  await outside.getByRole('button', { name: /Søren Vest/ }).click()
  const busy = await carrier.calls.take()
  await anna.says('Calling Søren Vest')
  await anna.says('Mikkel Dahl is on hold and hears music.')
  await anna.says(/Mikkel Dahl talks to Søren Vest as soon as they answer, and you leave/)
  busy.reject(486)
  await anna.page.getByText(/did not take the call. You have the caller back/).waitFor(PATIENCE)
  await Promise.all([customer.hears(700), anna.hears(440)])

  await search.fill('20998877')
  await anna.press('Transfer to 20 99 88 77')
  const other = await callee()
  await anna.page.reload()
  await anna.says('Calling Søren Vest')
  await other.answer()
  await Promise.all([anna.says('+45 20 99 88 77 has the caller now'), customer.hears(500), other.hears(440)])
  await anna.is('ready')
  other.hangUp()
  await customer.ended()
  await callIs(company, 'ended')
})

test('a page that loads while the number outside answers says who has the caller', async () => {
  const { company, anna, customer, group } = await conversation()
  await group.getByLabel('Find a person or a number').fill('20998877')
  await anna.press('Transfer to 20 99 88 77')
  const other = await callee()
  const rejoining = await holdRejoining(anna.page)
  await anna.page.reload()
  await anna.says('Calling Søren Vest')
  await other.answer()
  await Promise.all([customer.hears(500), other.hears(440)])
  rejoining.release()
  await anna.says('+45 20 99 88 77 has the caller now')
  await anna.is('ready')
  other.hangUp()
  await callIs(company, 'ended')
})

test('where transfers to numbers outside are off, the list says who can allow them', async () => {
  const { anna, group } = await conversation({ isAllowed: false })
  await group.getByLabel('Find a person or a number').fill('søren')
  await anna.says(/Whoever operates Bellhop can allow it/)
  expect(await group.getByRole('button', { name: /Søren Vest/ }).count()).toBe(0)
})
