import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'

import { createEmployeeWithPassword } from '../../server/modules/employees/index.ts'
import { faultsInEveryLook } from '../harness/browser/axe.ts'
import { openDashboard, openLive } from '../harness/browser/dashboard.ts'
import { newCall } from '../harness/calls/telephony.ts'
import { type Harness, harness } from '../harness/index.ts'
import { newShowcase, type Showcase } from '../harness/showcase.ts'
import { callBack, incoming, numberOf } from '../harness/texts/texting.ts'

const MIKKEL = '+4520304050'
const SOFIE = '+4531415161'
const CAFE = '+4542526272'

let bellhop: Harness
let company: Showcase
/** Anna and Kaj, each at their own browser. */
let anna: Page
let kaj: Page

beforeAll(async () => {
  bellhop = await harness()
  company = await newShowcase(bellhop)
  const credentials = { email: 'kaj@example.com', password: 'a bicycle in the rain' }
  await bellhop.db.tx((tx) =>
    createEmployeeWithPassword(tx, company, { name: 'Kaj Lind', phone: null, ...credentials }),
  )
  anna = (await openDashboard(bellhop, company, '/inbox')).page
  kaj = (await openDashboard(bellhop, credentials, '/inbox')).page
  for (const page of [anna, kaj]) {
    page.setDefaultTimeout(90_000)
    await page.setViewportSize({ width: 1500, height: 850 })
  }
})

const open = (page: Page, phone = '') => openLive(page, `${bellhop.url}/inbox${phone && `/${phone}`}`)
const threads = (page: Page) => page.getByRole('region', { name: 'Conversations' })
const row = (page: Page, name: string) => threads(page).getByRole('link', { name })
const show = (page: Page, filter: string) => page.getByRole('radio', { name: filter }).check({ force: true })
const panel = (page: Page) => page.getByRole('complementary', { name: 'Contact' })
const timeline = (page: Page) => page.getByRole('log')
/** Keys are for the page while no field has the focus. */
const press = async (page: Page, key: string) => {
  await timeline(page).focus()
  await page.keyboard.press(key)
}

test('a done thread leaves the list of the whole team at once, the next one is shown, and a new text brings it back', async () => {
  await open(kaj)
  await row(kaj, 'Sofie Krogh').waitFor()
  await open(anna, SOFIE)
  await anna.getByRole('heading', { name: 'Sofie Krogh' }).waitFor()
  await anna.getByRole('button', { name: 'Done' }).waitFor()
  await press(anna, 'e')
  await anna.getByText('Marked as done.').waitFor()
  await anna.waitForURL((url) => !url.pathname.includes(SOFIE) && url.pathname.includes('+'))
  for (const page of [anna, kaj]) await row(page, 'Sofie Krogh').waitFor({ state: 'detached' })

  await show(kaj, 'Done')
  await row(kaj, 'Sofie Krogh').click()
  await kaj.getByText(/Done by Anna Holm/).waitFor()
  await kaj.getByRole('button', { name: 'Reopen' }).waitFor()
  const workshop = await numberOf(company, company.numbers.workshop)
  await callBack(bellhop, 'messages', incoming(workshop, { from: SOFIE, text: 'One more question' }))
  await kaj.getByRole('button', { name: 'Done' }).waitFor()
  await row(kaj, 'Sofie Krogh').waitFor({ state: 'detached' })
  await show(kaj, 'Open')
  await row(kaj, 'Sofie Krogh').waitFor()
})

test('a thread is assigned by key, and is then mine for the coworker', async () => {
  await open(kaj)
  await show(kaj, 'Mine')
  await threads(kaj).getByText('Nothing is assigned to you').waitFor()
  await open(anna, MIKKEL)
  await anna.getByRole('button', { name: 'Assign', exact: true }).waitFor()
  await press(anna, 'a')
  await anna.getByRole('menuitemradio', { name: 'Kaj Lind' }).click()
  await panel(anna).getByText('Assigned to Kaj Lind').waitFor()
  await row(kaj, 'Mikkel Dahl').getByText('Assigned to Kaj Lind').waitFor({ state: 'attached' })
  await show(kaj, 'Unassigned')
  await row(kaj, 'Sofie Krogh').waitFor()
  expect(await row(kaj, 'Mikkel Dahl').count()).toBe(0)
})

test('a thread is snoozed by key until a time, and comes back first', async () => {
  await open(anna, CAFE)
  await anna.getByRole('button', { name: 'Snooze' }).waitFor()
  await press(anna, 's')
  await anna.getByRole('menuitem', { name: 'Another time…' }).click()
  const dialog = anna.getByRole('dialog', { name: 'Snooze until' })
  const chosen = dialog.locator('[aria-selected=true] button')
  // Tomorrow is suggested; a week later and a day back, by keys.
  await chosen.focus()
  await anna.keyboard.press('ArrowDown')
  await anna.keyboard.press('ArrowLeft')
  await expect
    .poll(() => dialog.locator(':focus').getAttribute('aria-label'))
    .toBe(await chosen.getAttribute('aria-label'))
  await dialog.getByLabel('Time', { exact: true }).fill('7.30')
  expect(await faultsInEveryLook(anna)).toEqual([])
  await dialog.getByRole('button', { name: 'Snooze' }).click()
  await row(anna, 'Havnens Kaffebar').waitFor({ state: 'detached' })
  const [snoozed] = await bellhop.db.sql<{ snoozed_until: Date }[]>`
    select snoozed_until from inbox_threads where snoozed_until is not null`
  const until = await anna.evaluate((now) => new Date(now).setHours(7 * 24 + 7, 30, 0, 0), Date.now())
  expect(snoozed!.snoozed_until.getTime()).toBe(until)
  await show(anna, 'Snoozed')
  await row(anna, 'Havnens Kaffebar').click()
  await anna.getByRole('status').filter({ hasText: 'Snoozed until' }).waitFor()
  // Its time has come: the job is due.
  await bellhop.db.sql`update inbox_threads set snoozed_until = now() where snoozed_until is not null`
  await bellhop.db.sql`
    update graphile_worker._private_jobs set run_at = now() where run_at > now() + interval '1 hour'`
  await bellhop.drainJobs()
  await show(anna, 'Open')
  await threads(anna)
    .getByRole('link')
    .first()
    .filter({ hasText: 'Havnens Kaffebar' })
    .getByText('Back', { exact: true })
    .waitFor()
})

test('a note reaches the team and whom it mentions, and never the customer', async () => {
  await open(kaj)
  await row(kaj, 'Mikkel Dahl').waitFor()
  await open(anna, MIKKEL)
  await anna.getByRole('button', { name: 'Done' }).waitFor()
  await press(anna, 'n')
  const field = anna.getByLabel('Write an internal note')
  await field.pressSequentially('Ask @kaj')
  await anna.getByRole('listbox', { name: 'Coworkers' }).getByRole('option', { name: 'Kaj Lind' }).waitFor()
  await anna.keyboard.press('Enter')
  await field.pressSequentially('about the brakes')
  expect(await field.inputValue()).toBe('Ask @Kaj Lind about the brakes')
  expect(await faultsInEveryLook(anna)).toEqual([])
  await anna.keyboard.press('Control+Enter')
  await timeline(anna).getByText('about the brakes').waitFor()
  await panel(anna).getByRole('region', { name: 'Notes' }).getByText('about the brakes').waitFor()

  await row(kaj, 'Mikkel Dahl').getByText('mentions you').waitFor({ state: 'attached' })
  await show(kaj, 'Mentions')
  await row(kaj, 'Mikkel Dahl').click()
  await timeline(kaj).getByText('about the brakes').waitFor()
  await timeline(kaj)
    .getByText(/Note by Anna Holm/)
    .waitFor()
  // Read, so it is no longer listed.
  await threads(kaj).getByText('Nobody has mentioned you').waitFor()
  expect(await kaj.getByRole('button', { name: 'Delete the note' }).count()).toBe(0)
  const texts = await bellhop.db.sql`select from messages where direction = 'outbound'`
  expect(texts).toHaveLength(0)

  await timeline(anna).getByRole('button', { name: 'Delete the note' }).click()
  await timeline(kaj).getByText('about the brakes').waitFor({ state: 'detached' })
})

test('coworkers see who is writing, and are warned before they both reply', async () => {
  for (const page of [anna, kaj]) await open(page, MIKKEL)
  await kaj.getByLabel('Write a text').pressSequentially('On it')
  await anna.getByText('Kaj Lind is writing…').waitFor()
  await anna.getByLabel('Write a text').pressSequentially('Yes, it is')
  await anna.getByText('Kaj Lind is writing to this customer too.').waitFor()
  await kaj.getByText('Anna Holm is writing to this customer too.').waitFor()
  await kaj.getByRole('button', { name: 'Send' }).click()
  await anna.getByText(/Kaj Lind replied at .* Read it before you send yours./).waitFor()
  await anna.getByText('Kaj Lind is writing to this customer too.').waitFor({ state: 'detached' })
  expect(await faultsInEveryLook(anna)).toEqual([])
  await anna.getByLabel('Write a text').fill('')
  await anna.getByText(/Kaj Lind replied at/).waitFor({ state: 'detached' })
  await kaj.getByText(/Anna Holm is writing/).waitFor({ state: 'detached' })
})

test('missed calls look missed and have a filter, and beside the thread are calls and other numbers', async () => {
  await company.api.post('/contacts', { phone: '+4530445566', name: 'Mikkel Dahl', company_name: 'Dahl Byg' })
  await newCall(company, { business_number_id: company.numbers.shop, remote_number: '+4530445566' })
  await open(anna)
  await show(anna, 'Missed')
  const missed = threads(anna).getByRole('link').filter({ hasText: 'Missed call' })
  await missed.waitFor()
  await expect.poll(() => threads(anna).getByRole('link').count(), { timeout: 60_000 }).toBe(1)
  expect(await missed.getByText('Missed call').getAttribute('class')).toContain('text-wrong')
  await missed.click()
  await panel(anna).getByRole('region', { name: 'Recent calls' }).getByText('Missed call').waitFor()
  await panel(anna)
    .getByRole('region', { name: 'Other numbers' })
    .getByRole('link', { name: '+45 20 30 40 50' })
    .click()
  await anna.waitForURL(`**/inbox/${MIKKEL}`)
  await show(anna, 'Voicemail')
  await row(anna, 'Havnens Kaffebar').waitFor()
})

test('the page is there in Danish too', async () => {
  await open(anna, MIKKEL)
  await anna.getByRole('button', { name: 'Anna Holm' }).click()
  await anna.getByRole('menuitemradio', { name: 'Dansk' }).click()
  await anna.getByRole('button', { name: 'Færdig' }).waitFor()
  await anna.getByRole('radio', { name: 'Ikke tildelt' }).waitFor({ state: 'attached' })
  expect(await faultsInEveryLook(anna)).toEqual([])
})
