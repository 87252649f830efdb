import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'

import { faultsInEveryLook } from '../harness/browser/axe.ts'
import { microphone, newBrowserEmployee } from '../harness/browser/softphone.ts'
import { callIs, eventually } from '../harness/calls/call-events.ts'
import { numberWith, openPhoneSystem } from '../harness/calls/phone-system.ts'

const PATIENCE = { timeout: 30_000 }
const { bellhop, browsers, dial } = await openPhoneSystem()

async function annaAtWork({ hz, permissions }: { hz?: number; permissions?: string[] } = { hz: 700 }) {
  const company = await bellhop.newCompany()
  const anna = await newBrowserEmployee(bellhop, company, 'Anna', hz, permissions && { permissions })
  const { number } = await numberWith(bellhop, company, { type: 'TransferConfig', employee_ids: [anna.id] })
  await anna.is('ready')
  const dnd = (enabled: boolean, expires_at: string | null = null) =>
    company.api.put(`/employees/${anna.id}/do_not_disturb`, { enabled, expires_at })
  return { company, anna, number, dnd }
}

/** The statuses that a page shows, in its frame and in the phone. */
const statusesOn = (page: Page) =>
  page
    .getByRole('button', { name: /^Your status: / })
    .or(page.getByRole('button', { name: /^Open the phone: / }))
    .evaluateAll((shown) =>
      shown.map((one) =>
        (one.getAttribute('aria-label') ?? one.firstElementChild?.textContent)?.replace(/^[^:]*: /, ''),
      ),
    )

/** The page shows this status in both places. */
const shows = (page: Page, status: string | RegExp) =>
  eventually(async () => {
    const is = typeof status === 'string' ? status : expect.stringMatching(status)
    expect(await statusesOn(page)).toEqual([is, is])
  })

const openStatus = (page: Page) =>
  page
    .getByRole('button', { name: /^Your status: / })
    .first()
    .click(PATIENCE)

const choose = (page: Page, item: string) => page.getByRole('menuitem', { name: item }).click(PATIENCE)

test('do not disturb shows in the sidebar and in the phone, also after a reload, in another tab and when set by API', async () => {
  const { company, anna, dnd } = await annaAtWork()
  await shows(anna.page, 'Ready')
  await openStatus(anna.page)
  await choose(anna.page, 'For an hour')
  await shows(anna.page, /^Do not disturb until \d\d:\d\d( tomorrow)?$/)
  expect((await company.api.get(`/employees/${anna.id}`)).body.status).toBe('do_not_disturb')
  await anna.page.reload()
  await shows(anna.page, /^Do not disturb until /)

  // The phone of the first tab goes on; the other one is told the same.
  const tab = await anna.newTab(microphone(900))
  await shows(tab.page, /^Do not disturb until /)
  await openStatus(tab.page)
  await choose(tab.page, 'Switch do not disturb off')
  await shows(anna.page, 'Ready')
  await shows(tab.page, 'The phone is in another tab')

  await dnd(true)
  await shows(anna.page, 'Do not disturb')
  await anna.press(/Open the phone/)
  await shows(anna.page, 'Do not disturb')
  expect(await anna.phone.getByText('Ready').count()).toBe(0)
  await dnd(false)
  await shows(anna.page, 'Ready')
})

test('do not disturb ends at a chosen time, and by itself', async () => {
  const { company, anna, dnd } = await annaAtWork()
  await shows(anna.page, 'Ready')
  await openStatus(anna.page)
  await choose(anna.page, 'Until a time…')
  const dialog = anna.page.getByRole('dialog')
  await dialog.getByLabel('Time').fill('half past')
  await dialog.getByText('Enter a time, such as 16:30.').waitFor()
  // Within the next day, wherever the clock stands.
  await dialog.getByLabel('Time').fill('9.30')
  await dialog.getByText(/No calls ring for you until 09:30( tomorrow)?/).waitFor()
  await dialog.getByRole('button', { name: 'Do not disturb' }).click()
  await shows(anna.page, /^Do not disturb until 09:30( tomorrow)?$/)
  const { expires_at } = (await company.api.get(`/employees/${anna.id}/do_not_disturb`)).body
  expect(new Date(expires_at).getMinutes()).toBe(30)
  expect(Date.parse(expires_at) - Date.now()).toBeLessThanOrEqual(24 * 60 * 60_000)

  const soon = new Date(Date.now() + 4_000)
  await dnd(true, soon.toISOString())
  const time = soon.toLocaleTimeString('en-GB', { timeStyle: 'short' })
  await shows(anna.page, new RegExp(`^Do not disturb until ${time}( tomorrow)?$`))
  await eventually(async () => {
    await bellhop.drainJobs()
    expect(await statusesOn(anna.page)).toEqual(['Ready', 'Ready'])
  })
})

test('a call, a lost connection and a phone that is off are shown in both places', async () => {
  const { company, anna, number, dnd } = await annaAtWork()
  const customer = await dial(number)
  await customer.connected()
  await anna.is('ringing')
  await shows(anna.page, 'Incoming call')
  await anna.press('Answer')
  await shows(anna.page, 'On a call')
  // Until the answer is stored, do not disturb withdraws the call.
  await callIs(company, 'bridged')
  await dnd(true)
  await shows(anna.page, 'On a call, Do not disturb')
  await openStatus(anna.page)
  expect(await anna.page.getByRole('menuitem', { name: 'Switch the phone off' }).count()).toBe(0)
  await choose(anna.page, 'Switch do not disturb off')
  await shows(anna.page, 'On a call')
  customer.hangUp()
  await shows(anna.page, 'Ready')

  browsers.shut()
  await shows(anna.page, 'Offline, Calls may not reach you')
  const banner = anna.page.getByText('The phone has lost its connection.')
  await banner.waitFor(PATIENCE)
  browsers.open()
  await shows(anna.page, 'Ready')
  await banner.waitFor({ ...PATIENCE, state: 'detached' })

  await openStatus(anna.page)
  await choose(anna.page, 'Switch the phone off')
  await shows(anna.page, 'Phone is off')
  await openStatus(anna.page)
  await choose(anna.page, 'Switch the phone on')
  await shows(anna.page, 'Ready')
})

test('a microphone that the browser refuses, or that is missing, is shown before a call', async () => {
  const missing = await annaAtWork({})
  await shows(missing.anna.page, 'No microphone, Callers would not hear you')

  const { anna } = await annaAtWork({ hz: 700, permissions: ['notifications'] })
  await shows(anna.page, 'No microphone, Callers would not hear you')
  await anna.press(/Open the phone/)
  await anna.says(/The browser does not let this page use the microphone/)
  await anna.page.context().grantPermissions(['microphone'])
  await shows(anna.page, 'Ready')
})

test('the status is visible and works on a phone, by keyboard, in the dark and for screen readers', async () => {
  const { anna } = await annaAtWork()
  await anna.page.setViewportSize({ width: 390, height: 780 })
  await shows(anna.page, 'Ready')
  await anna.page
    .getByRole('button', { name: /^Your status: / })
    .first()
    .focus()
  await anna.page.keyboard.press('Enter')
  await anna.page.getByRole('menuitem', { name: 'For an hour' }).waitFor()
  expect(await faultsInEveryLook(anna.page, ['phone'])).toEqual([])
  await anna.page.keyboard.press('End')
  // The menu moves the focus a moment after the key.
  await anna.page.locator('[role=menuitem]:focus', { hasText: 'Switch the phone off' }).waitFor()
  await anna.page.keyboard.press('ArrowUp')
  await anna.page.locator('[role=menuitem]:focus', { hasText: 'Until I switch it off' }).waitFor()
  await anna.page.keyboard.press('Enter')
  await shows(anna.page, 'Do not disturb')
  await anna.press(/Open the phone/)
  expect(await faultsInEveryLook(anna.page)).toEqual([])
})
