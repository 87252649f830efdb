import type { Page } from 'playwright-core'
import { afterEach, beforeAll, expect, test } from 'vitest'

import { addSession, openDashboard } from '../harness/browser/dashboard.ts'
import { type Harness, harness } from '../harness/index.ts'
import type { Service } from '../harness/processes/bellhop-process.ts'
import { newRestartableService } from '../harness/processes/restartable-service.ts'
import { newShowcase, type Showcase } from '../harness/showcase.ts'

const PATIENT = { timeout: 30_000 }

/** Of the service and of the harness, which read the same texts. */
const SECRETS = {
  BELLHOP_SECRET: 'a secret of all processes of the test',
  MESSAGE_KEYS: `1:${'key of all processes of the test'.replaceAll(' ', '-')}`,
}
const MIKKEL = '+4520304050'

let bellhop: Harness
let company: Showcase
let startAgain: () => Promise<Service>
let service: Service
let page: Page

beforeAll(async () => {
  bellhop = await harness(SECRETS)
  company = await newShowcase(bellhop)
  startAgain = await newRestartableService(bellhop, SECRETS)
  service = await startAgain()
  page = (await openDashboard(service, company, '/inbox')).page
  page.setDefaultTimeout(PATIENT.timeout)
  page.on('dialog', (dialog) => void dialog.accept())
})

afterEach(() => page.context().setOffline(false))

const banner = () => page.getByText('Bellhop cannot be reached.', { exact: true })
const composer = () => page.getByLabel('Write a text')
const waiting = () => page.getByText('Will be sent when Bellhop can be reached again.')
const timeline = () => page.getByRole('log')
const follow = (name: string) => page.getByRole('link', { name, exact: true }).first().click()
const openThread = async () => {
  await page.goto(`${service.url}/inbox/${MIKKEL}`)
  await composer().waitFor()
}
const write = async (text: string) => {
  await composer().fill(text)
  await page.getByRole('button', { name: 'Send' }).click()
}
/** How many such texts there are, as another API on the same database tells. */
const timesStored = async (wanted: string) => {
  const { body } = await company.api.get(`/inbox/${MIKKEL}/activity`)
  return body.items.filter(({ text }: { text?: string }) => text === wanted).length
}

test('while the service is down, everything says so; then it heals by itself, and the text is sent once', async () => {
  await openThread()
  service.signal('SIGKILL')
  await service.ended
  await banner().waitFor()

  await write('Your bike is ready')
  await waiting().waitFor()
  expect(await composer().inputValue()).toBe('Your bike is ready')
  expect(await timesStored('Your bike is ready')).toBe(0)

  // The code of this page was never loaded; and nothing of it is known.
  await follow('Company')
  await page.getByRole('heading', { name: 'Company cannot be loaded right now' }).waitFor()
  await page.getByRole('link', { name: '1 text is waiting to be sent' }).waitFor()

  service = await startAgain()
  await page.getByLabel('Address').waitFor()
  await banner().waitFor({ state: 'detached' })
  await page.getByText(/waiting to be sent/).waitFor({ state: 'detached' })
  await page
    .getByRole('link', { name: /^Inbox/ })
    .first()
    .click()
  await page.getByText('Mikkel Dahl').first().click()
  await timeline().getByText('Your bike is ready').waitFor()
  // The live channel may show the text before the response to it arrives.
  await expect.poll(() => composer().inputValue(), PATIENT).toBe('')
  expect(await timesStored('Your bike is ready')).toBe(1)
})

test('a text that a stopped service received without responding is not sent twice', async () => {
  await openThread()
  service.signal('SIGSTOP')
  await write('Pick it up before six')
  await banner().waitFor()
  await waiting().waitFor()
  service.signal('SIGCONT')
  await banner().waitFor({ state: 'detached' })
  await timeline().getByText('Pick it up before six').waitFor()
  await expect.poll(() => composer().inputValue(), PATIENT).toBe('')
  expect(await timesStored('Pick it up before six')).toBe(1)
})

test('a waiting text can be cancelled, and is then not sent', async () => {
  await openThread()
  await page.context().setOffline(true)
  await banner().waitFor()
  await write('Never mind')
  await waiting().waitFor()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await waiting().waitFor({ state: 'detached' })
  expect(await composer().isEditable()).toBe(true)
  await page.context().setOffline(false)
  await banner().waitFor({ state: 'detached' })
  await write('Something else')
  await timeline().getByText('Something else').waitFor()
  expect(await timesStored('Never mind')).toBe(0)
})

test('a change that cannot be saved is refused with a sentence, and not saved later', async () => {
  await page.goto(`${service.url}/company`)
  await page.getByLabel('Address').fill('Havnegade 1')
  await page.context().setOffline(true)
  await banner().waitFor()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Bellhop cannot be reached right now. Try again in a moment.').waitFor()
  await page.context().setOffline(false)
  await banner().waitFor({ state: 'detached' })
  expect((await company.api.get('/company')).body.address).not.toBe('Havnegade 1')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved.').waitFor()
  expect((await company.api.get('/company')).body.address).toBe('Havnegade 1')
})

test('a page without a session leaves for the sign-in page once, however many requests learn of it', async () => {
  await openThread()
  let refusals = 0
  page.on('response', (response) => {
    if (response.status() === 401) refusals++
  })
  let departures = 0
  let letGo: (() => void) | undefined
  const mayGo = new Promise<void>((resolve) => (letGo = resolve))
  await page.route('**/sign-in?**', async (route) => {
    departures++
    await mayGo
    await route.continue()
  })
  await bellhop.db.sql`delete from sessions`
  // Those that are under way when the page leaves are refused as well.
  await expect.poll(() => refusals, PATIENT).toBeGreaterThan(2)
  letGo?.()
  await page.waitForURL('**/sign-in?**')
  expect(departures).toBe(1)
  await page.unroute('**/sign-in?**')
  await addSession(page, service.url, company)
})

test('a draft is kept through a reload and an expired session, and is removed at sign-out', async () => {
  await openThread()
  await composer().fill('Dear Mikkel,')
  await page.reload()
  await expect.poll(() => composer().inputValue(), PATIENT).toBe('Dear Mikkel,')

  // The page hears of it by itself.
  await bellhop.db.sql`delete from sessions`
  await page.waitForURL('**/sign-in?**')
  await page.fill('#email', company.email)
  await page.fill('#password', company.password)
  await page.click('main button')
  await page.waitForSelector('nav')
  await openThread()
  expect(await composer().inputValue()).toBe('Dear Mikkel,')

  // Not confirmed.
  await page.getByRole('button', { name: 'Anna Holm' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByRole('link', { name: 'Back to the dashboard' }).click()
  await openThread()
  expect(await composer().inputValue()).toBe('Dear Mikkel,')

  await page.goto(`${service.url}/sign-out`)
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.waitForURL('**/sign-in?**')
  await addSession(page, service.url, company)
  await openThread()
  expect(await composer().inputValue()).toBe('')
})
