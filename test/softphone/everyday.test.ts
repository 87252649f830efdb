import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'

import { faultsInEveryLook } from '../harness/browser/axe.ts'
import { type BrowserEmployee, microphone, newBrowserEmployee } from '../harness/browser/softphone.ts'
import { callIs, eventually, lastCall } from '../harness/calls/call-events.ts'
import { CUSTOMER, numberWith, openPhoneSystem } from '../harness/calls/phone-system.ts'
import type { TestCompany } from '../harness/index.ts'
import { contextServer } from '../harness/peers/context-server.ts'
import { KNOWN_OF_MIKKEL } from '../harness/showcase.ts'

const PATIENCE = { timeout: 30_000 }
const { bellhop, browsers, dial, callee } = await openPhoneSystem({ BELLHOP_WEBHOOKS_ALLOW_INSECURE: '1' })
const company: TestCompany = await bellhop.newCompany()
/** One browser for the whole file, whose page each test reloads. */
const anna: BrowserEmployee = await newBrowserEmployee(bellhop, company, 'Anna', 700, { whenOver: afterAll })
const { number } = await numberWith(bellhop, company, { type: 'TransferConfig', employee_ids: [anna.id] })

beforeAll(async () => {
  await company.api.post('/contacts', { phone: CUSTOMER, name: 'Mikkel Dahl' })
})

beforeEach(async () => {
  // Left by a test that failed.
  browsers.open()
  for (const page of anna.page.context().pages()) if (page !== anna.page) await page.close()
  await anna.page.reload()
  await anna.is('ready')
})

test('the conversation of a caller opens when Anna answers, and is seen then', async () => {
  await anna.page.goto(new URL('/contacts', anna.page.url()).href)
  await anna.is('ready')
  const { customer } = await conversation()
  await anna.page.waitForURL(`**/inbox/${CUSTOMER}`, PATIENCE)
  customer.hangUp()
  await callIs(company, 'ended')
  await eventually(async () => {
    const { threads } = (await company.api.get('/inbox')).body
    expect(threads).toMatchObject([{ phone_number: CUSTOMER, unseen_count: 0 }])
  })
})

/** A customer rings Anna, who answers. */
async function conversation() {
  const customer = await dial(number)
  await customer.connected()
  await anna.is('ringing')
  await anna.press('Answer')
  await Promise.all([customer.hears(700), anna.hears(440)])
  return { customer, call: await callIs(company, 'bridged') }
}

/** The panel in the phone, and what has been noted about the newest call. */
const afterCall = anna.phone.getByRole('region', { name: 'After the call with Mikkel Dahl' })
const noted = async () => (await lastCall(company)).wrap_up
const focused = () => anna.page.evaluate<string>('document.activeElement.getAttribute("aria-label") ?? ""')

test('after a call, an outcome and a note are two keys away, and take no key from somebody who types', async () => {
  const first = await conversation()
  const search = anna.page.getByLabel('Search people and numbers')
  await search.click()
  first.customer.hangUp()
  await afterCall.waitFor(PATIENCE)
  await anna.page.keyboard.type('12')
  expect([await search.inputValue(), await afterCall.getByRole('button', { pressed: true }).count()]).toEqual(
    ['12', 0],
  )
  await search.fill('')
  await search.blur()
  await anna.page.keyboard.press('1')
  await afterCall.getByRole('button', { name: 'Resolved', pressed: true }).waitFor(PATIENCE)
  await anna.page.keyboard.press('Enter')
  await afterCall.waitFor({ ...PATIENCE, state: 'detached' })
  expect(await noted()).toMatchObject({ outcome: 'resolved', note: null, author: { name: 'Anna' } })
  // The conversation is open: it shows this too, and can change it.
  const timeline = anna.page.getByRole('log')
  await timeline.getByText('Resolved').last().waitFor(PATIENCE)

  const second = await conversation()
  await anna.press('Hang up')
  await second.customer.ended()
  await afterCall.waitFor(PATIENCE)
  expect(await faultsInEveryLook(anna.page)).toEqual([])
  await anna.page.keyboard.press('2')
  await anna.page.keyboard.type('Wants a price, by 5')
  // The next caller is neither kept out, nor takes the keyboard.
  const third = await dial(number)
  await third.connected()
  await anna.is('ringing')
  await anna.page.keyboard.type(' o’clock.')
  expect(await focused()).toBe('Note about the call')
  await anna.page.keyboard.press('Alt+Shift+A')
  await anna.is('talking')
  await anna.page.keyboard.press('Enter')
  await afterCall.waitFor({ ...PATIENCE, state: 'detached' })
  expect((await company.api.get(`/calls/${second.call.id}`)).body.wrap_up).toMatchObject({
    outcome: 'call_back',
    note: 'Wants a price, by 5 o’clock.',
  })
  third.hangUp()
  await afterCall.waitFor(PATIENCE)
  await anna.page.keyboard.press('Escape')
  await afterCall.waitFor({ ...PATIENCE, state: 'detached' })
  expect(await noted()).toBeNull()
  // In the conversation it is still possible, and two who write at the same time keep both texts.
  const entry = timeline.getByRole('listitem').last()
  await entry.getByRole('button', { name: 'Add a note' }).click()
  await entry.getByRole('button', { name: 'Left a message' }).click()
  await anna.page.keyboard.type('His.')
  const { id } = await lastCall(company)
  await company.api.put(`/calls/${id}/wrap_up`, { outcome: null, note: 'Hers.' })
  await anna.page.keyboard.press('Enter')
  await entry.getByText(/Owner wrote at the same time/).waitFor(PATIENCE)
  expect(await entry.getByLabel('Note about the call').inputValue()).toBe('Hers.\nHis.')
  await anna.page.keyboard.press('Enter')
  await entry.getByRole('button', { name: 'Edit the note' }).waitFor(PATIENCE)
  expect(await noted()).toMatchObject({ outcome: 'left_message', note: 'Hers.\nHis.' })
})

test('a conversation goes on while Anna opens her account and changes something there', async () => {
  const { customer } = await conversation()
  await anna.page.getByRole('button', { name: 'Anna Test company' }).click()
  await anna.page.getByRole('menuitem', { name: 'Phones' }).click()
  await anna.page.locator('#name').fill('Kitchen')
  await anna.page.getByRole('main').getByRole('button', { name: 'Add phone' }).click()
  await anna.page.getByText('“Kitchen” can be connected now.').waitFor()
  await anna.is('talking')
  await Promise.all([customer.hears(700), anna.hears(440)])
  customer.hangUp()
  await callIs(company, 'ended')
})

test('DTMF digits that are pressed in a call reach the other end', async () => {
  await anna.press(/Open the phone/)
  await anna.phone.getByLabel('Number to call').fill('20112233')
  await anna.press('Call')
  const other = await callee()
  await other.answer()
  await anna.is('talking')
  await anna.hears(500)
  await anna.press('Keypad')
  for (const key of ['4', '#']) await anna.phone.getByRole('button', { name: key, exact: true }).click()
  const pressed = () => new Set(other.heard.filter(isKey).map(({ packet }) => packet.payload[0]))
  // RFC 4733: # is event 11.
  await other.until('the keys', () => pressed().has(4) && pressed().has(11))
  await anna.press('Hang up')
  await callIs(company, 'ended')
})

test('a contact is found by name or part of the number in the dial field, and called', async () => {
  const { body } = await company.api.post('/contacts', { phone: '+4530445566', name: 'Åse Møller' })
  await company.api.post('/contacts', { phone: '+4530445577', name: 'Åge Mølby' })
  await anna.press(/Open the phone/)
  const field = anna.phone.getByLabel('Number to call')
  const found = anna.phone.getByRole('list', { name: 'Contacts' }).getByRole('listitem')
  await field.fill('møl')
  await expect
    .poll(() => found.allTextContents(), { timeout: 60_000 })
    .toEqual([expect.stringContaining('Åge Mølby'), expect.stringContaining('Åse Møller')])
  // The name means two people, so that one must be chosen.
  expect(await anna.phone.getByRole('button', { name: 'Call', exact: true }).isDisabled()).toBe(true)
  await field.fill('3044 55')
  await expect.poll(() => found.count(), { timeout: 60_000 }).toBe(2)
  await field.fill('ase mol')
  await expect.poll(() => found.count(), { timeout: 60_000 }).toBe(1)
  await field.press('Enter')
  const other = await callee()
  expect(other.call.to.uri).toMatchObject({ user: expect.stringContaining('30445566') })
  await other.answer()
  await anna.is('talking')
  await anna.says('Åse Møller')
  await anna.press('Hang up')
  await callIs(company, 'ended')
  await company.api.delete(`/contacts/${body.id}`)
})

test('one of two tabs is the phone; the other takes it over, and returns it when it closes', async () => {
  const tab = await anna.newTab(microphone(900))
  await tab.is('off')
  await tab.press(/The phone is in another tab/)
  await tab.says(/Calls ring in another tab/)
  await tab.press('Use it here')
  await tab.is('ready')
  await anna.is('off')
  await anna.says('The phone is in another tab')
  const customer = await dial(number)
  await customer.connected()
  await tab.is('ringing')
  expect(await anna.phone.getAttribute('data-phone')).toBe('off')
  await tab.press('Decline')
  await tab.is('ready')
  customer.hangUp()
  await callIs(company, 'ended')
  await tab.page.close()
  await anna.is('ready')
})

test('without a connection the phone says that it gets no calls, and reconnects by itself', async () => {
  await anna.press(/Open the phone/)
  browsers.shut()
  await anna.is('connecting')
  await anna.says(/Without a connection to Bellhop no call reaches you/)
  browsers.open()
  await anna.is('ready')
})

test('another tab takes over a conversation with the phone, but no call that only rings', async () => {
  const tab = await anna.newTab(microphone(900))
  await tab.is('off')
  await tab.press(/The phone is in another tab/)
  const customer = await dial(number)
  await customer.connected()
  await anna.is('ringing')
  await tab.says(/A call is just beginning in the other tab/)
  const takeOver = tab.phone.getByRole('button', { name: 'Use it here' })
  expect(await takeOver.isDisabled()).toBe(true)

  await anna.press('Answer')
  await customer.hears(700)
  const { id } = await callIs(company, 'bridged')
  await takeOver.click(PATIENCE)
  await tab.is('talking')
  await anna.is('off')
  await Promise.all([customer.hears(900), tab.hears(440)])
  expect(await callIs(company, 'bridged')).toMatchObject({ id })

  // And back, when the other tab is closed.
  await tab.page.close()
  await anna.is('talking')
  await Promise.all([customer.hears(700), anna.hears(440)])
  await anna.press('Hang up')
  await customer.ended()
})

test('a call flow is changed in its diagram, and applies to the next caller', async () => {
  const line = await numberWith(bellhop, company, { type: 'RejectConfig', message: 'We moved.' })
  await anna.page.goto(`${bellhop.url}/numbers/${line.id}`)
  const picture = anna.page.getByRole('region', { name: 'During business hours' })
  await picture.getByRole('button', { name: /^Change: During business hours/ }).click(PATIENCE)
  await picture.getByLabel('What happens').selectOption('TransferConfig')
  await picture.getByRole('button', { name: /^Change: Who/ }).click(PATIENCE)
  await picture.getByLabel('Anna').check()
  await picture.getByRole('button', { name: 'Save' }).click()
  await picture.getByRole('button', { name: 'Save' }).waitFor({ ...PATIENCE, state: 'detached' })
  await anna.is('ready')
  const customer = await dial(line.number)
  await customer.connected()
  await anna.is('ringing')
  await anna.press('Answer')
  await Promise.all([customer.hears(700), anna.hears(440)])
  await anna.press('Hang up')
  await customer.ended()
})

test('an employee in a conversation sees the caller context, also on a phone and in the dark theme', async () => {
  const crm = await contextServer(() => KNOWN_OF_MIKKEL)
  const made = await company.api.post('/integrations', { provider: 'custom', label: 'CRM', url: crm.url })
  expect(made.status).toBe(201)
  // The page has looked up the caller before, without the integration.
  await anna.page.reload()
  await anna.is('ready')
  const { customer } = await conversation()
  const known = anna.phone.getByRole('region', { name: 'From your other systems' })
  await known.getByText('Service Plus').waitFor(PATIENCE)
  await anna.press('Transfer')
  expect(await faultsInEveryLook(anna.page)).toEqual([])
  await anna.press('Hang up')
  await customer.ended()
  await known.waitFor({ ...PATIENCE, state: 'detached' })
})

test('mute and hold survive a reload, and the employee is heard again when they end', async () => {
  const { customer } = await conversation()
  await anna.press('Mute')
  await anna.press('Hold')
  await anna.is('held')
  await anna.page.reload()
  await anna.is('held')
  await anna.phone.getByRole('button', { name: 'Unmute' }).waitFor(PATIENCE)
  await anna.press('Resume')
  await anna.is('talking')
  await anna.hears(440)
  await eventually(() => expect(loudest(customer.last(400))).toBeLessThan(200))
  await anna.press('Unmute')
  await customer.hears(700)
  await anna.press('Hang up')
  await customer.ended()
})

test('a number is grouped while it is typed, and a recent caller is called back with one click', async () => {
  const earlier = await dial(number)
  await earlier.connected()
  earlier.hangUp()
  await callIs(company, 'ended')
  await anna.page.reload()
  await anna.is('ready')
  await anna.press(/Open the phone/)
  const recent = anna.phone.getByRole('list', { name: 'Recent calls' })
  await recent.getByText('Mikkel Dahl').waitFor(PATIENCE)
  const field = anna.phone.getByLabel('Number to call')
  await field.click()
  await anna.page.keyboard.type('2011')
  expect(await field.inputValue()).toBe('2011')
  await anna.page.keyboard.type('2233')
  await expect.poll(() => field.inputValue()).toBe('20 11 22 33')
  // In the middle the cursor stays where it is.
  for (let i = 0; i < 3; i++) await anna.page.keyboard.press('ArrowLeft')
  await anna.page.keyboard.press('Backspace')
  await anna.page.keyboard.type('4')
  expect(await field.inputValue()).toBe('20 11 24 33')
  await field.fill('+46701234567')
  await expect.poll(() => field.inputValue()).toBe('+46 70 123 45 67')
  await field.fill('')
  await recent.getByText('Mikkel Dahl').click()
  const customer = await callee()
  await customer.answer()
  await anna.hears(500)
  await anna.press('Hang up')
  await callIs(company, 'ended')
})

test('favourites are called with one click, appear at once wherever Anna is signed in, and are removed', async () => {
  const earlier = await dial(number)
  await earlier.connected()
  earlier.hangUp()
  await callIs(company, 'ended')
  const tab = await anna.newTab(microphone(900))
  await anna.press(/Open the phone/)
  await anna.press('Add Mikkel Dahl to your favourites')
  const favourites = anna.phone.getByRole('list', { name: 'Favourites' })
  await favourites.getByText('Mikkel Dahl').waitFor(PATIENCE)
  await anna.phone.getByLabel('Number to call').fill('own')
  await anna.press('Add Owner to your favourites')
  await anna.phone.getByLabel('Number to call').fill('')
  await expect.poll(() => favourites.getByRole('listitem').count()).toBe(2)
  expect(await faultsInEveryLook(anna.page)).toEqual([])

  await tab.press(/The phone is in another tab/)
  await tab.press('Use it here')
  await tab.is('ready')
  await tab.press('Remove Owner from your favourites')
  await expect.poll(() => favourites.count(), { timeout: 60_000 }).toBe(0)
  await tab.phone.getByRole('list', { name: 'Favourites' }).getByText('Mikkel Dahl').click()
  const customer = await callee()
  await customer.answer()
  await tab.is('talking')
  await tab.press('Hang up')
  await callIs(company, 'ended')
  await tab.press('Close')
  await tab.phone
    .getByRole('list', { name: 'Favourites' })
    .getByRole('button', { name: 'Remove Mikkel Dahl from your favourites' })
    .click(PATIENCE)
  await tab.page.close()
  await anna.is('ready')
})

test('the palette calls a person whom Shift and Enter choose, and a number that is typed', async () => {
  const palette = anna.page.getByRole('dialog', { name: 'Go to' })
  const dialled = () => anna.phone.getByLabel('Number to call').inputValue()
  await anna.page.keyboard.press('Control+k')
  await palette.getByRole('combobox').fill('mikk')
  await palette.getByRole('option', { name: /Mikkel Dahl/, selected: true }).waitFor(PATIENCE)
  await anna.page.keyboard.press('Shift+Enter')
  await expect.poll(dialled).toBe(CUSTOMER)
  await anna.page.keyboard.press('Control+k')
  await palette.getByRole('combobox').fill('20 99 88 77')
  await palette.getByRole('option', { name: 'Call 20 99 88 77' }).click()
  await expect.poll(dialled).toBe('20998877')
})

const isKey = ({ packet }: { packet: { header: { payloadType: number } } }) =>
  packet.header.payloadType === 101

const loudest = (samples: Int16Array | undefined) =>
  samples ? Math.max(...samples.map((sample) => Math.abs(sample))) : Number.POSITIVE_INFINITY
