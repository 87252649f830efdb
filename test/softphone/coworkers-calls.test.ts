import { expect, test } from 'vitest'

import { newBrowserEmployee } from '../harness/browser/softphone.ts'
import { callIs, eventually } from '../harness/calls/call-events.ts'
import { numberWith, openPhoneSystem } from '../harness/calls/phone-system.ts'
import { hearsAll, hearsMusic } from '../harness/sound/hears-all.ts'

const PATIENCE = { timeout: 30_000 }
const { bellhop, dial, hire } = await openPhoneSystem()

/** Anna is at her browser, and Bob has a desk phone. */
async function office() {
  const company = await bellhop.newCompany()
  const anna = await newBrowserEmployee(bellhop, company, 'Anna Holm', 700)
  const bob = await hire(company, 'Bob Lund', 800)
  await anna.is('ready')
  return { company, anna, bob }
}

/** A customer calls a number that rings these employees. */
async function customerFor({ company }: Awaited<ReturnType<typeof office>>, ...employeeIds: string[]) {
  const flow = { type: 'TransferConfig', employee_ids: employeeIds }
  const { number } = await numberWith(bellhop, company, flow)
  const customer = await dial(number)
  await customer.connected()
  return customer
}

test('the coworker who is consulted is merged into a three-way call, and leaves it', async () => {
  const scene = await office()
  const { company, anna, bob } = scene
  const customer = await customerFor(scene, anna.id)
  await anna.is('ringing')
  await anna.press('Answer')
  await Promise.all([customer.hears(700), anna.hears(440)])
  await anna.press('Transfer')
  await anna.press(/Bob Lund.*Available/)
  const bobsPhone = await bob.rings()
  await bobsPhone.answer()
  await anna.says('You are talking to Bob Lund')
  await anna.press('Make it a three-way call')
  await anna.says('Three-way call with Bob Lund')
  await Promise.all([hearsAll(customer, 700, 800), hearsAll(bobsPhone, 440, 700)])
  expect(await anna.phone.getByRole('button', { name: 'Leave the call' }).count()).toBe(1)
  await anna.press('Remove Bob Lund')
  await bobsPhone.ended()
  await Promise.all([customer.hears(700), anna.hears(440)])
  await eventually(async () =>
    expect(await anna.phone.getByText('Three-way call with Bob Lund').count()).toBe(0),
  )
  await callIs(company, 'bridged')
})

test('a call that rings a coworker is picked up on the live page', async () => {
  const scene = await office()
  const { company, anna, bob } = scene
  const customer = await customerFor(scene, bob.id)
  const bobsPhone = await bob.rings()
  await anna.page.goto(new URL('/live', anna.page.url()).href)
  await anna.is('ready')
  await anna.page.getByRole('button', { name: 'Pick up' }).click()
  await anna.is('ringing')
  await anna.press('Answer')
  await Promise.all([customer.hears(700), anna.hears(440)])
  expect(await bobsPhone.ended()).toEqual({ why: 'cancelled', elsewhere: true })
  const call = await callIs(company, 'bridged')
  expect(call.employees.map(({ name }: { name: string }) => name)).toEqual(['Anna Holm'])
  // Answering opened the conversation.
  await anna.page.goBack()
  const row = anna.page.getByRole('listitem').filter({ hasText: 'Anna Holm' })
  await row.getByText(/^Talks to \+45 20 11 22 33/).waitFor(PATIENCE)
  const seconds = async () => Number(/0:(\d\d)$/.exec((await row.textContent()) ?? '')?.[1])
  const first = await seconds()
  await expect.poll(seconds, PATIENCE).toBeGreaterThan(first)
  const answered = anna.page.locator('dl > div', { hasText: 'Answered' }).locator('dd')
  await expect.poll(() => answered.textContent(), PATIENCE).toBe('1')
  customer.hangUp()
  await row.getByText(/^Talks to/).waitFor({ ...PATIENCE, state: 'detached' })
})

test('a phone that rang says which coworker answered, even if that takes long to read', async () => {
  const scene = await office()
  const { anna, bob } = scene
  let release!: () => void
  const released = new Promise<void>((resolve) => (release = resolve))
  await anna.page.route('**/api/v1/calls/cal_*', async (route) => {
    await released
    await route.continue()
  })
  const customer = await customerFor(scene, anna.id, bob.id)
  await anna.is('ringing')
  await anna.page.clock.install()
  const bobsPhone = await bob.rings()
  await bobsPhone.answer()
  await anna.is('ended')
  await anna.page.clock.fastForward(10_000)
  release()
  await Promise.all([customer.hears(800), anna.says('Bob Lund answered')])
  await anna.is('ready')
})

test('a softphone dials the code for pickup', async () => {
  const scene = await office()
  const { anna, bob } = scene
  const customer = await customerFor(scene, bob.id)
  await bob.rings()
  await anna.press(/Open the phone/)
  await anna.phone.getByLabel('Number to call').fill('*8')
  await anna.press('Call')
  await anna.is('talking')
  await Promise.all([customer.hears(700), anna.hears(440)])
  await anna.says('+45 20 11 22 33')
  await anna.press('Transfer')
  await anna.says('Park the call')
  await anna.page.reload()
  await anna.is('talking')
  await Promise.all([customer.hears(700), anna.hears(440)])
})

test('a call is parked in the softphone, and taken on the live page', async () => {
  const scene = await office()
  const { company, anna } = scene
  const customer = await customerFor(scene, anna.id)
  await anna.is('ringing')
  await anna.press('Answer')
  await Promise.all([customer.hears(700), anna.hears(440)])
  await anna.page.goto(new URL('/live', anna.page.url()).href)
  await anna.is('talking')
  await anna.press('Transfer')
  await anna.press('Park the call')
  await anna.page.getByText('Parked: dial *71').waitFor()
  await anna.page.getByText('Parked by Anna Holm').waitFor()
  await anna.is('ready')
  await hearsMusic(customer, 700)
  await anna.page.getByRole('button', { name: 'Take', exact: true }).click()
  await anna.is('ringing')
  await anna.press('Answer')
  await Promise.all([customer.hears(700), anna.hears(440)])
  await callIs(company, 'bridged')
  await eventually(async () => expect(await anna.page.getByText('Parked by Anna Holm').count()).toBe(0))
})
