import type { Locator, Page } from 'playwright-core'
import { beforeAll, beforeEach, expect, test } from 'vitest'

import { faultsInEveryLook } from '../harness/browser/axe.ts'
import { openDashboard } from '../harness/browser/dashboard.ts'
import { newEmployee } from '../harness/employees.ts'
import { type Harness, harness } from '../harness/index.ts'
import { newShowcase, type Showcase } from '../harness/showcase.ts'

let bellhop: Harness
let company: Showcase
let page: Page

beforeAll(async () => {
  bellhop = await harness()
  company = await newShowcase(bellhop)
  await company.api.post('/contacts', {
    phone: '+4530445566',
    name: 'Åse Møller',
    company_name: 'Møllers Mejeri',
  })
  await bellhop.db.tx((tx) =>
    newEmployee(tx, company.companyId, { name: 'Carl Lind', email: 'carl@example.com' }),
  )
  page = (await openDashboard(bellhop, company, '/inbox')).page
  page.setDefaultTimeout(60_000)
})

beforeEach(async () => {
  await page.goto(`${bellhop.url}/inbox`)
  await thread('Mikkel Dahl').waitFor()
})

const thread = (name: string | RegExp) => page.getByRole('main').getByRole('link', { name })
const palette = () => page.getByRole('dialog', { name: 'Go to' })
const field = () => palette().getByRole('combobox')
const option = (name: string | RegExp) => palette().getByRole('option', { name })

const icon = () => page.locator('link[rel=icon]').getAttribute('href')

async function openPalette(typed: string) {
  await page.keyboard.press('Control+k')
  await field().fill(typed)
}

test('Ctrl+K finds a contact by name or company, and Enter opens the conversation', async () => {
  await openPalette('mejeri')
  await option(/Åse Møller.*Møllers Mejeri/).waitFor()
  expect(await faultsInEveryLook(page)).toEqual([])
  await page.keyboard.press('Enter')
  await page.waitForURL('**/inbox/+4530445566')
  expect(await palette().count()).toBe(0)
})

test('Ctrl+K finds coworkers, recent calls, numbers and pages, and arrows choose among them', async () => {
  await openPalette('car')
  await option(/Carl Lind/).waitFor()
  await field().fill('mik')
  await palette()
    .getByRole('group', { name: 'Recent calls' })
    .getByRole('option', { name: /Mikkel Dahl/ })
    .waitFor()
  await field().fill('o')
  const marked = palette().getByRole('option', { selected: true })
  await option(/^Workshop/).waitFor()
  for (let text; !(text = await marked.textContent())?.startsWith('Workshop');) {
    await page.keyboard.press('ArrowDown')
    await expect.poll(() => marked.textContent()).not.toBe(text)
  }
  await page.keyboard.press('Enter')
  await page.waitForURL('**/numbers/num_*')
  await openPalette('snipp')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/snippets')
  await page.getByRole('button', { name: 'Go to (Ctrl+K)' }).click()
  await field().fill('nobody is called this')
  await palette().getByText('Nothing found').waitFor()
  await page.keyboard.press('Escape')
  await palette().waitFor({ state: 'detached' })
})

test('j and k go through the conversations, / goes to the search, and ? lists the keys', async () => {
  const rows = page.locator('main [data-row]')
  const addresses = await rows.evaluateAll((links) => links.map((link) => link.getAttribute('href')))
  await page.keyboard.press('j')
  await page.waitForURL(`**${addresses[0]}`)
  await page.keyboard.press('j')
  await page.waitForURL(`**${addresses[1]}`)
  await page.keyboard.press('k')
  await page.waitForURL(`**${addresses[0]}`)
  await page.keyboard.press('/')
  // In a field they are text.
  await page.keyboard.type('jk?/')
  expect(await page.getByLabel('Search people and numbers').inputValue()).toBe('jk?/')
  expect(page.url()).toContain(addresses[0]!)
  await page.getByLabel('Search people and numbers').fill('')
  await page.getByLabel('Search people and numbers').blur()
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).getByText('Next in the list').waitFor()
  expect(await faultsInEveryLook(page)).toEqual([])
  await page.keyboard.press('Escape')
})

test('the first conversation is at most five tab stops away', async () => {
  const focused = () => page.evaluate(() => document.activeElement?.textContent ?? '')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  expect(await focused()).toBe('Skip to the conversations')
  await page.keyboard.press('Enter')
  expect(await page.evaluate(() => document.activeElement?.matches('main [data-row]'))).toBe(true)
})

test('Enter sends a text and Shift and Enter begins a line, or Enter does for those who choose so', async () => {
  const composer = page.getByLabel('Write a text')
  const said = (text: string) => page.getByRole('log').getByText(text)
  const choose = async (key: string) => {
    await page.getByRole('button', { name: 'Anna Holm' }).click()
    await page.getByRole('menuitemradio', { name: key, exact: true }).click()
  }
  await thread('Mikkel Dahl').click()
  await composer.pressSequentially('It is ready')
  await composer.press('Shift+Enter')
  await composer.pressSequentially('until six')
  expect(await composer.inputValue()).toBe('It is ready\nuntil six')
  await composer.press('Enter')
  await said('It is ready until six').waitFor()
  await expect.poll(() => composer.inputValue()).toBe('')
  expect(await composer.evaluate((field) => field === document.activeElement)).toBe(true)

  await choose('Ctrl + Enter')
  await page.reload()
  await composer.pressSequentially('Or tomorrow')
  await composer.press('Enter')
  await composer.pressSequentially('from eight')
  expect(await composer.inputValue()).toBe('Or tomorrow\nfrom eight')
  await composer.press('Control+Enter')
  await said('Or tomorrow from eight').waitFor()
  await choose('Enter')
})

const isFocused = (element: Locator) =>
  expect.poll(() => element.evaluate((one) => one === document.activeElement)).toBe(true)

test('after a dialog, the focus is where it was', async () => {
  const row = thread('Mikkel Dahl')
  await row.focus()
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
  await page.keyboard.press('Escape')
  await isFocused(row)
  const opener = page.getByRole('button', { name: 'New text' })
  await opener.focus()
  await page.keyboard.press('Enter')
  await page.getByLabel('To whom?').waitFor()
  await page.keyboard.press('Escape')
  await isFocused(opener)
  await row.click()
  const composer = page.getByLabel('Write a text')
  await composer.focus()
  await page.keyboard.press('Control+k')
  await palette().waitFor()
  await page.keyboard.press('Escape')
  await isFocused(composer)
})

async function unseenIn(path: string): Promise<number> {
  const { threads } = (await company.api.get('/inbox')).body
  return threads.find((one: { phone_number: string }) => path === `/inbox/${one.phone_number}`).unseen_count
}

test('the title and the icon of the tab show how much is unseen', async () => {
  await expect.poll(() => page.title()).toMatch(/^\(\d+\) Inbox · Bellhop$/)
  expect(await icon()).toContain('unseen')
  const rows = page.locator('main [data-row]')
  for (const path of await rows.evaluateAll((all) => all.map((one) => one.getAttribute('href')!))) {
    await page.locator(`main [href="${path}"]`).click()
    // A thread is seen once its page has read it, so the next one must not be opened before.
    await expect.poll(() => unseenIn(path), { timeout: 60_000 }).toBe(0)
  }
  await expect.poll(() => page.title(), { timeout: 60_000 }).toBe('Inbox · Bellhop')
  expect(await icon()).toContain('favicon')
})
