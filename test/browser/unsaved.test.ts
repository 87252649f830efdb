import type { Page } from 'playwright-core'
import { afterEach, beforeAll, expect, test } from 'vitest'

import { encodeId } from '../../server/platform/ids.ts'
import { faultsInEveryLook } from '../harness/browser/axe.ts'
import { addSession, openDashboard } from '../harness/browser/dashboard.ts'
import { PASSWORD } from '../harness/browser/sign-in.ts'
import { newEmployee } from '../harness/employees.ts'
import { type Harness, harness } from '../harness/index.ts'
import { newShowcase, type Showcase } from '../harness/showcase.ts'

const PATIENT = { timeout: 60_000 }

let bellhop: Harness
let company: Showcase
let page: Page
/** The questions of the browser itself, and what is answered. */
const asked: string[] = []
let isLeft = true

beforeAll(async () => {
  bellhop = await harness()
  company = await newShowcase(bellhop)
  page = (await openDashboard(bellhop, company, '/company')).page
  page.setDefaultTimeout(PATIENT.timeout)
  page.on('dialog', (dialog) => {
    asked.push(dialog.type())
    void (isLeft ? dialog.accept() : dialog.dismiss())
  })
})

afterEach(() => {
  isLeft = true
  asked.length = 0
})

const question = () => page.getByRole('dialog', { name: 'Discard your changes?' })
const answer = (name: 'Discard' | 'Keep editing') => question().getByRole('button', { name }).click()
const follow = (name: string) => page.getByRole('link', { name, exact: true }).first().click()
const open = async (path: string) => {
  await page.goto(bellhop.url + path)
  await page.waitForSelector('nav')
}

test('a form with edits is left only after a question; one without, or that was saved, at once', async () => {
  await open('/snippets')
  await follow('Company')
  const address = page.getByLabel('Address')
  const before = await address.inputValue()
  await address.fill('Havnegade 1')
  await follow('Snippets')
  await answer('Keep editing')
  expect(await address.inputValue()).toBe('Havnegade 1')

  await page.goBack()
  await answer('Keep editing')
  expect(new URL(page.url()).pathname).toBe('/company')

  // What was typed is taken back.
  await address.fill(before)
  await follow('Snippets')
  await page.waitForURL('**/snippets')

  await follow('Company')
  await address.fill('Havnegade 2')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved.').first().waitFor()
  await follow('Snippets')
  await page.waitForURL('**/snippets')

  await follow('Company')
  await address.fill('Havnegade 3')
  await follow('Snippets')
  await answer('Discard')
  await page.waitForURL('**/snippets')
  expect((await company.api.get('/company')).body.address).toBe('Havnegade 2')
})

test('the browser asks before a page with edits is closed or loaded again, and only then', async () => {
  await open('/company')
  await page.reload()
  await page.getByLabel('City').fill('Aarhus')
  expect(asked).toEqual([])
  isLeft = false
  await page.evaluate('window.location.reload()').catch(() => {})
  await expect.poll(() => asked, PATIENT).toEqual(['beforeunload'])
  expect(await page.getByLabel('City').inputValue()).toBe('Aarhus')
})

test('a menu that is being built is not lost by Escape, by another node that is opened, or by the way back', async () => {
  await open('/numbers')
  await page.getByRole('link', { name: /^Shop/ }).click()
  const picture = page.getByRole('region', { name: 'During business hours' })
  await picture.getByRole('button', { name: /^Change: During business hours/ }).click()
  await picture.getByLabel('What happens').selectOption('PhoneMenuConfig')
  // Escape closes only the list of a select.
  await picture.getByLabel('What happens').focus()
  await page.keyboard.press('Space')
  await page.locator('select:open').waitFor({ state: 'attached' })
  await page.keyboard.press('Escape')
  await page.locator('select:open').waitFor({ state: 'detached' })
  expect(await picture.getByLabel('What happens').count()).toBe(1)
  await page.keyboard.press('Escape')
  await picture.getByRole('button', { name: /^Change: What is said/ }).click()
  await picture.getByRole('textbox').fill('Press 1 for the workshop.')
  await picture.getByRole('button', { name: 'Add a key' }).click()
  await picture.getByText('“Press 1 for the workshop.”').waitFor()

  await picture.getByRole('button', { name: 'Discard' }).click()
  expect(await faultsInEveryLook(page)).toEqual([])
  await answer('Keep editing')
  await page.goBack()
  await answer('Keep editing')
  await picture.getByText('“Press 1 for the workshop.”').waitFor()

  await picture.getByRole('button', { name: 'Discard' }).click()
  await answer('Discard')
  await picture.getByText('“Press 1 for the workshop.”').waitFor({ state: 'detached' })
  await follow('Snippets')
  await page.waitForURL('**/snippets')
})

/** The session of the page ends, as after seven days without use. */
const endSession = () => bellhop.db.sql`delete from sessions`

test('edits are kept when the session ends: the employee signs in beside the page, and saves', async () => {
  await open('/snippets')
  await page.getByRole('button', { name: 'Add snippet' }).click()
  await page.getByLabel('Title').fill('Opening hours')
  await page.getByLabel('Text').fill('We are open until 17:30.')
  await endSession()

  const ended = page.getByRole('dialog', { name: 'You are signed out' })
  // Not now.
  await ended.getByRole('button', { name: 'Close' }).click()
  await ended.waitFor({ state: 'detached' })
  expect(await page.getByLabel('Text').inputValue()).toBe('We are open until 17:30.')
  await page.getByRole('button', { name: 'Save' }).click()
  const popup = page.waitForEvent('popup')
  await ended.getByRole('button', { name: 'Sign in' }).click()
  const signIn = await popup
  await signIn.fill('#email', company.email)
  await signIn.fill('#password', company.password)
  await signIn.click('main button')
  await ended.waitFor({ state: 'detached' })
  await expect.poll(() => signIn.isClosed(), PATIENT).toBe(true)

  expect(await page.getByLabel('Text').inputValue()).toBe('We are open until 17:30.')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('We are open until 17:30.').waitFor()
  // And the page is live again.
  await follow('Employees')
  await page.getByText(company.email).waitFor()
  const presence = page.getByRole('main').getByText('Do not disturb', { exact: true })
  expect(await presence.count()).toBe(0)
  const anna = encodeId('emp', company.employeeId)
  await company.api.put(`/employees/${anna}/do_not_disturb`, { enabled: true, expires_at: null })
  await presence.first().waitFor()
})

test('edits are not shown to a coworker who signs in instead', async () => {
  const email = 'carla@nordlys.example'
  await bellhop.db.tx((tx) =>
    newEmployee(tx, company.companyId, { name: 'Carla Friis', email, password: PASSWORD }),
  )
  await addSession(page, bellhop.url, company)
  await open('/company')
  await page.getByLabel('Address').fill('A secret of Anna')
  await endSession()
  await page.getByRole('dialog', { name: 'You are signed out' }).waitFor()
  await addSession(page, bellhop.url, { email, password: PASSWORD })
  await page.getByRole('button', { name: 'Carla Friis' }).waitFor()
  expect(await page.getByLabel('Address').inputValue()).not.toBe('A secret of Anna')
})
