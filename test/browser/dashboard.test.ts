import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'

import { encodeId } from '../../server/platform/ids.ts'
import { faultsInEveryLook } from '../harness/browser/axe.ts'
import { openPage } from '../harness/browser/browser.ts'
import { goWithin, openDashboard, openLive, signInAtDashboard } from '../harness/browser/dashboard.ts'
import { newSignInEmployee, PASSWORD } from '../harness/browser/sign-in.ts'
import { openPhoneSystem } from '../harness/calls/phone-system.ts'
import type { Harness } from '../harness/index.ts'
import { contextServer } from '../harness/peers/context-server.ts'
import { webhookSink } from '../harness/peers/webhook-sink.ts'
import { KNOWN_OF_MIKKEL, newShowcase, type Showcase } from '../harness/showcase.ts'
import { callBack, incoming, numberOf } from '../harness/texts/texting.ts'

const PATIENT = { timeout: 30_000 }

let bellhop: Harness
let company: Showcase
let page: Page
let complaints: string[]

beforeAll(async () => {
  // With an edge, at which the page's softphone registers.
  const phoneSystem = await openPhoneSystem({ BELLHOP_WEBHOOKS_ALLOW_INSECURE: '1' })
  bellhop = phoneSystem.bellhop
  company = await newShowcase(bellhop)
  const opened = await signInAtDashboard(bellhop, company, '/numbers?from=bookmark')
  page = opened.page
  complaints = opened.complaints
  page.setDefaultTimeout(PATIENT.timeout)
})

test('after signing in, an employee returns to the page they requested', () => {
  expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe('/numbers?from=bookmark')
})

test('an employee without the second factor that the company requires is redirected to set it up', async () => {
  const { email, company: strict } = await newSignInEmployee(bellhop)
  await strict.api.patch('/company', { requires_two_factor: true })
  const other = await openPage()
  await other.goto(`${bellhop.url}/contacts`)
  await other.fill('#email', email)
  await other.fill('#password', PASSWORD)
  await other.click('main button')
  await other.waitForURL('**/account/two-factor/setup?return_to=%2Fcontacts')
  await other.close()
})

test('while texting is switched off, its pages say so', async () => {
  const owner = await newSignInEmployee(bellhop)
  const { page: other } = await openDashboard(bellhop, { ...owner, password: PASSWORD }, '/snippets')
  other.setDefaultTimeout(PATIENT.timeout)
  await other.getByText('Texting is not switched on for your company').waitFor()
  expect(await other.getByRole('button', { name: 'Add snippet' }).count()).toBe(0)
  await other.getByRole('link', { name: 'Texting' }).click()
  await other.getByRole('heading', { name: 'Texting' }).waitFor()
  await other.getByText('Texting is not switched on for your company').waitFor()
  await other.close()
})

test('a thread: a text appears by itself, is marked as seen, and is replied to', async () => {
  await openLive(page, `${bellhop.url}/inbox`)
  const shop = await numberOf(company, company.numbers.shop)
  await page.getByText('Er I åbent på lørdag?').waitFor()
  await callBack(bellhop, 'messages', incoming(shop, { from: '+4529384756', text: 'Do you fix unicycles?' }))
  await page.getByText('Do you fix unicycles?').click()
  await page.waitForURL('**/inbox/+4529384756')
  await expect.poll(() => unseenOf('+4529384756'), PATIENT).toBe(0)

  await page.getByLabel('Write a text').fill('Yes, we do – come by!')
  await page.getByText('1 text · 49 left').waitFor()
  await page.getByLabel('From').selectOption({ label: 'Workshop' })
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByText('Yes, we do – come by!').first().waitFor()
  await bellhop.drainJobs()
  await page
    .locator('li', { hasText: 'Yes, we do – come by!' })
    .getByText(/Sent|Delivered/)
    .waitFor()
  const { body } = await company.api.get('/inbox/+4529384756/activity')
  expect(body.items[0]).toMatchObject({
    direction: 'outbound',
    text: 'Yes, we do – come by!',
    business_number_id: encodeId('num', company.numbers.workshop),
    author: { type: 'employee', name: 'Anna Holm' },
  })
})

test('the first load is below 300 kB without the phone, and its letters come with it', async () => {
  const { page: first } = await openDashboard(bellhop, company, '/inbox')
  await first.getByText('Er I åbent på lørdag?').waitFor(PATIENT)
  const files = await first.evaluate(async () => {
    await document.fonts.ready
    const entries = performance.getEntriesByType('resource') as PerformanceResourceTiming[]
    return entries.map(({ name, encodedBodySize }) => ({
      name: new URL(name).pathname,
      bytes: encodedBodySize,
    }))
  })
  const own = files.filter(({ name }) => /^\/dashboard\/(?!phone-)/.test(name))
  expect(own.map(({ name }) => name)).toContainEqual(
    expect.stringMatching(/figtree-latin-wght-normal.*woff2$/),
  )
  expect(own.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThan(300_000)
  await first.close()
})

test('a language is loaded when it is chosen, kept in the browser, and the one of e-mails', async () => {
  const { page: other } = await openDashboard(bellhop, company, '/contacts')
  const dictionaries = () =>
    other.evaluate(() =>
      performance
        .getEntriesByType('resource')
        .flatMap(({ name }) => name.match(/dashboard\/(da|de|sv)-/)?.[1] ?? []),
    )
  expect(await dictionaries()).toEqual([])
  await other.getByRole('button', { name: 'Anna Holm' }).click()
  await other.getByRole('menuitemradio', { name: 'Deutsch' }).click()
  await other.getByRole('heading', { name: 'Kontakte', level: 1 }).waitFor(PATIENT)
  expect(await dictionaries()).toEqual(['de'])
  await other.reload()
  await other.getByRole('heading', { name: 'Kontakte', level: 1 }).waitFor(PATIENT)
  expect(await other.getAttribute('html', 'lang')).toBe('de')
  await other.keyboard.press('?')
  await other
    .getByRole('dialog', { name: 'Tastenkürzel' })
    .getByText('Strg', { exact: true })
    .waitFor(PATIENT)
  const written = async () => (await company.api.get('/session')).body.language
  await expect.poll(written, PATIENT).toBe('de')
  await other.close()
  // The next browser would be in German too.
  await company.api.patch('/session', { language: 'en' })
})

test('the call flow of a number is edited in its diagram, and stored', async () => {
  const id = encodeId('num', company.numbers.shop)
  await page.goto(`${bellhop.url}/numbers/${id}`)
  const picture = page.getByRole('region', { name: 'During business hours' })
  await picture.getByRole('button', { name: /^Change: During business hours/ }).click()
  await picture.getByLabel('What happens').selectOption('PhoneMenuConfig')
  await picture.getByRole('button', { name: /^Change: What is said/ }).click()
  await picture.getByRole('textbox').fill('Press 1 to talk to Bo.')
  await picture.getByRole('button', { name: 'Add a key' }).click()
  await picture.getByLabel('Bo Lund').check()
  await picture.getByRole('button', { name: 'Save' }).click()
  await picture.getByRole('button', { name: 'Save' }).waitFor({ state: 'detached' })
  await page.getByText('“Press 1 to talk to Bo.”').waitFor()
  await page.getByLabel('Saturday', { exact: true }).check()
  await page.getByLabel('Saturday: To').fill('00:00')
  await page.locator('form', { hasText: 'Saturday' }).getByRole('button', { name: 'Save' }).click()
  await expect
    .poll(async () => (await company.api.get(`/business_numbers/${id}`)).body.business_hours[5], PATIENT)
    .toMatchObject({ open: true, closing_at: '24:00' })
  // The end of the day, and not its beginning.
  expect(await page.getByLabel('Saturday: To').inputValue()).toBe('24:00')
  await page.reload()
  await expect.poll(() => page.getByLabel('Saturday: To').inputValue(), PATIENT).toBe('24:00')
  const { body } = await company.api.get(`/business_numbers/${id}`)
  expect(body.incoming_call_config).toMatchObject({
    type: 'PhoneMenuConfig',
    welcome: 'Press 1 to talk to Bo.',
    menu_options: [{ digit: '1', action_type: 'TransferConfig' }],
  })
})

test('a webhook shows its secret once, the outcome of its deliveries, and replays one', async () => {
  const sink = await webhookSink()
  sink.answer = () => ({ status: 500 })
  await page.goto(`${bellhop.url}/webhooks`)
  await page.getByRole('button', { name: 'Add webhook' }).click()
  await page.getByLabel('Name').fill('CRM')
  await page.getByLabel('Address').fill(sink.url)
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText(/^whsec_/).waitFor()
  await page.getByRole('button', { name: 'I have saved it' }).click()
  await page.getByRole('link', { name: /CRM/ }).click()
  await page.getByRole('button', { name: 'Send a test' }).click()
  await page.getByText('On its way', { exact: true }).waitFor()
  await bellhop.deliverWebhooks()
  await page.getByText(/refused 500/).waitFor()

  sink.answer = () => ({ status: 200 })
  await page.getByRole('button', { name: 'Send again' }).first().click()
  await page.getByText('It is sent again.').waitFor()
  await bellhop.deliverWebhooks()
  await page.getByText('Delivered', { exact: true }).first().waitFor()
  // The same one, by which its receiver recognises it.
  const [first, ...later] = sink.received
  expect(later.length).toBeGreaterThan(0)
  for (const { raw, headers } of later)
    expect([raw, headers['webhook-id']]).toEqual([first!.raw, first!.headers['webhook-id']])
})

describe('axe finds nothing serious, and nothing overflows, on screens of both sizes, light and dark:', () => {
  test('the main pages', async () => {
    const number = encodeId('num', company.numbers.shop)
    const { body: webhooks } = await company.api.get('/webhooks')
    const { body: calls } = await company.api.get('/calls')
    await open('/inbox')
    expect(await faultsInEveryLook(page)).toEqual([])
    for (const path of [
      '/calls',
      `/calls/${calls.calls.at(-1).id}`,
      '/voicemails',
      '/contacts',
      '/employees',
      `/numbers/${number}`,
      '/texting',
      '/snippets',
      `/webhooks/${webhooks[0].id}`,
      '/company',
      '/live',
    ]) {
      await follow(path)
      expect([path, await faultsInEveryLook(page)]).toEqual([path, []])
    }
  })

  test('a thread, and the caller context of the customer', async () => {
    const crm = await contextServer(() => KNOWN_OF_MIKKEL)
    await company.api.post('/integrations', { provider: 'custom', label: 'CRM', url: crm.url })
    await open('/inbox/+4520304050')
    await page.getByRole('complementary').getByText('Service Plus').waitFor()
    expect(await faultsInEveryLook(page)).toEqual([])
    await page.setViewportSize({ width: 390, height: 780 })
    await page.getByRole('button', { name: 'Contact', exact: true }).click()
    await page.getByRole('dialog').getByText('Service Plus').waitFor()
    expect(await faultsInEveryLook(page, ['phone'])).toEqual([])
    await page.keyboard.press('Escape')
  })
})

test('on a phone-sized screen the navigation is at the bottom, and one column is shown', async () => {
  await page.setViewportSize({ width: 390, height: 780 })
  await page.goto(`${bellhop.url}/inbox`)
  await page.getByText('Mikkel Dahl').first().click()
  await page.getByRole('button', { name: 'Send' }).waitFor()
  expect(await page.getByLabel('Search people and numbers').isVisible()).toBe(false)
  await page.getByRole('link', { name: 'Back to the conversations' }).click()
  await page.getByLabel('Search people and numbers').waitFor()
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('dialog').getByRole('link', { name: 'Snippets' }).click()
  await page.getByRole('heading', { name: 'Snippets' }).waitFor()
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
  expect(overflow).toBe(0)
})

test('the content security policy of the page blocked nothing, and there were no errors', () => {
  expect(complaints).toEqual([])
})

async function open(path: string): Promise<void> {
  await page.goto(bellhop.url + path)
  await page.locator('h1').first().waitFor({ state: 'attached' })
  await allIsShown()
}

/** From another kind of page, as by a link. */
async function follow(path: string): Promise<void> {
  // The page before stays until the next one can be shown.
  await page.evaluate("document.querySelector('h1').id = 'before'")
  await goWithin(page, path)
  await page.locator('h1:not(#before)').first().waitFor({ state: 'attached' })
  await allIsShown()
}

const allIsShown = () =>
  expect.poll(() => page.getByLabel('Loading', { exact: true }).count(), PATIENT).toBe(0)

async function unseenOf(phone: string): Promise<number> {
  const { body } = await company.api.get('/inbox')
  return body.threads.find((thread: { phone_number: string }) => thread.phone_number === phone).unseen_count
}
