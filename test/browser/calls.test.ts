import { readFile } from 'node:fs/promises'

import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'

import { indexCallContext } from '../../server/modules/calls/index.ts'
import { encodeId } from '../../server/platform/ids.ts'
import { seriousFaults } from '../harness/browser/axe.ts'
import { openDashboard, openLive } from '../harness/browser/dashboard.ts'
import { newSignInEmployee, PASSWORD } from '../harness/browser/sign-in.ts'
import { callIs, eventually } from '../harness/calls/call-events.ts'
import { numberWith, openPhoneSystem } from '../harness/calls/phone-system.ts'
import { newCall, newNumber } from '../harness/calls/telephony.ts'
import type { TestCompany } from '../harness/index.ts'
import { storeTone } from '../harness/sound/recorded-voicemail.ts'

const PATIENT = { timeout: 30_000 }
const { bellhop, dial } = await openPhoneSystem()

let company: TestCompany
let page: Page
let shop: string

beforeAll(async () => {
  const employee = await newSignInEmployee(bellhop)
  company = employee.company
  shop = await newNumber(company, { name: 'Shop', language: 'en' })
  await newCalls(shop, { count: 118, state: 'ended', words: 'Somebody asked for a saddle.' })
  ;({ page } = await openDashboard(bellhop, { ...employee, password: PASSWORD }, '/calls'))
  page.setDefaultTimeout(30_000)
})

/** Rows as an edge would leave them, each from another number: +4520000001 is the oldest. */
function newCalls(number: string, { count, state, words }: { count: number; state: string; words?: string }) {
  const answeredAt = new Date()
  return bellhop.db.sql`
    insert into calls (company_id, business_number_id, direction, remote_number, state, started_at, answered_at,
      ended_at, transcription)
    select ${company.companyId}, ${number}, 'inbound', '+452000' || to_char(n, 'FM0000'), ${state}, ${answeredAt},
      ${answeredAt}, ${state === 'ended' ? answeredAt : null}, ${words ?? null}
    from generate_series(1, ${count}::integer) n`
}

const rows = () => page.locator('main ul > li')
const showMore = () => page.getByRole('button', { name: 'Show more' })

describe('the list of calls', () => {
  test('loads older calls by keyboard, down to the oldest, and moves the focus to the first new one', async () => {
    await expect.poll(() => rows().count(), PATIENT).toBe(50)
    await showMore().focus()
    await page.keyboard.press('Enter')
    await expect.poll(() => rows().count(), PATIENT).toBe(100)
    await expect.poll(() => rows().nth(50).locator('a:focus').count(), PATIENT).toBe(1)
    await showMore().press('Enter')
    await expect.poll(() => rows().count(), PATIENT).toBe(118)
    expect(await showMore().count()).toBe(0)
    await rows().last().getByText('+45 20 00 00 01').waitFor()
  })

  test('loads more within a search and a filter, which are kept on return from a call', async () => {
    const other = await newNumber(company, { name: 'Workshop', language: 'en' })
    await newCalls(other, { count: 60, state: 'ended', words: 'Somebody asked for two saddles.' })
    await page.reload()
    await page.getByLabel('Search what was said').fill('saddle')
    await page.getByLabel('Business number').selectOption({ label: 'Workshop' })
    await page.waitForURL(/query=saddle.*number=num_/)
    await expect.poll(() => rows().locator('mark:text-is("saddles")').count(), PATIENT).toBe(50)
    await showMore().click()
    await expect.poll(() => rows().locator('mark:text-is("saddles")').count(), PATIENT).toBe(60)
    await rows().first().getByRole('link').click()
    await page.waitForURL(/\/calls\/cal_/)
    // The list stays until the call is there.
    await expect.poll(() => page.locator('mark', { hasText: 'saddles' }).count(), PATIENT).toBe(1)
    await page.getByRole('link', { name: 'All calls' }).click()
    await expect.poll(() => page.getByLabel('Search what was said').inputValue()).toBe('saddle')
    await expect.poll(() => rows().locator('mark:text-is("saddles")').count(), PATIENT).toBe(60)
  })

  test('shows where the words of a search were said, or that they were not said', async () => {
    const said = await newCall(company, {
      business_number_id: shop,
      transcription: `${'We talked about the weather. '.repeat(20)}Your unicycles are repaired.`,
      summary: 'About repairs.',
    })
    const known = await newCall(company, {
      business_number_id: shop,
      transcription: 'Hello, it is me again.',
      summary: 'Somebody says hello.',
    })
    await company.db.tx((tx) => indexCallContext(tx, company.companyId, known, 'Owns a unicycle'))
    await page.goto(`${bellhop.url}/calls?query=unicycle`)
    await expect.poll(() => rows().count(), PATIENT).toBe(2)
    await rows()
      .filter({ hasText: 'Your unicycles are repaired.' })
      .locator('mark:text-is("unicycles")')
      .waitFor()
    const unsaid = rows().filter({ hasText: 'Somebody says hello.' })
    await unsaid.getByText('None of these words was said').waitFor()
    expect(await unsaid.locator('mark').count()).toBe(0)
    expect(said).not.toBe(known)
  })
})

test('the transcript of an earlier version marks the current passage while a recording plays', async () => {
  const { sql } = bellhop.db
  const segments = ['Is my bike ready?', 'It is ready since noon.', 'Then I come at four.']
  const call = await newCall(company, {
    business_number_id: shop,
    recording_key: await storeTone(bellhop, company),
    transcription: segments.join(' '),
  })
  await sql`
    update calls set transcription_segments = ${sql.json(segments.map((text) => ({ speaker: 'customer', text })))}
    where id = ${call}`
  await page.goto(`${bellhop.url}/calls/${encodeId('cal', call)}`)
  const player = page.getByRole('group', { name: 'Recording' }).locator('audio')
  // The recording is shorter than the call, whose beginning was not recorded.
  await expect
    .poll(
      () =>
        page
          .getByRole('button', { name: /^Play from/ })
          .last()
          .textContent(),
      PATIENT,
    )
    .toBe('0:01')
  await player.evaluate((audio: HTMLAudioElement) => audio.play())
  const marked = () => page.locator('li[aria-current=true]').allTextContents()
  for (const [share, text] of [
    [0.1, segments[0]],
    [0.5, segments[1]],
    [0.9, segments[2]],
  ] as const) {
    await player.evaluate((audio: HTMLAudioElement, share) => {
      audio.pause()
      audio.currentTime = share * audio.duration
    }, share)
    await expect.poll(marked, PATIENT).toEqual([expect.stringContaining(text!)])
  }
})

test('a recording has its length before it plays, and is played from a word, faster, and downloaded', async () => {
  const { sql } = bellhop.db
  const seconds = 4
  const segments = [
    { speaker: 'customer', text: 'Is my bike ready?', start_ms: 0 },
    { speaker: 'Anna', text: 'It is ready', start_ms: 1_000 },
    { speaker: 'customer', text: 'Good.', start_ms: 3_500 },
  ]
  const call = await newCall(company, {
    business_number_id: shop,
    recording_key: await storeTone(bellhop, company, seconds),
    transcription: 'Is my bike ready?',
  })
  await sql`update calls set transcription_segments = ${sql.json(segments)} where id = ${call}`
  await page.goto(`${bellhop.url}/calls/${encodeId('cal', call)}`)
  const player = page.getByRole('group', { name: 'Recording' })
  await player.getByText('0:04').waitFor(PATIENT)
  const audio = <T>(read: (audio: HTMLAudioElement) => T) => player.locator('audio').evaluate(read)
  expect(await audio(({ paused, currentTime }) => [paused, currentTime])).toEqual([true, 0])

  await player.getByRole('button', { name: 'Speed: 1×' }).click()
  await page.getByRole('button', { name: 'Play from 0:03' }).click()
  await expect.poll(() => audio(({ currentTime }) => currentTime), PATIENT).toBeGreaterThanOrEqual(3.5)
  expect(await audio(({ playbackRate }) => playbackRate)).toBe(1.25)
  await expect
    .poll(() => page.locator('li[aria-current=true]').allTextContents(), PATIENT)
    .toEqual([expect.stringContaining('Good.')])

  // The last word of three: at two thirds of the time until the next passage begins.
  const text = page.getByText('It is ready', { exact: true })
  const { width, height } = await text.evaluate((element) => {
    const words = document.createRange()
    words.selectNodeContents(element)
    return words.getBoundingClientRect().toJSON()
  })
  await audio((audio) => audio.addEventListener('seeking', () => audio.pause()))
  await text.click({ position: { x: width * 0.7, y: height / 2 } })
  await expect.poll(() => audio(({ currentTime }) => currentTime), PATIENT).toBeLessThan(3.4)
  expect(await audio(({ currentTime }) => currentTime)).toBeGreaterThan(2)

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    player.getByRole('link', { name: 'Download' }).click(),
  ])
  expect((await readFile(await download.path())).subarray(0, 4).toString()).toBe('RIFF')
})

const figure = (name: string) =>
  page.locator('dl > div', { has: page.getByText(name, { exact: true }) }).locator('dd')

const missed = async () => Number(await figure('Missed').textContent())
const size = () => figure('Calls now').evaluate((element) => element.getBoundingClientRect().height)

/** In seconds, of `3:07`. */
async function longestWait(): Promise<number> {
  const [minutes = 0, seconds = 0] = ((await figure('Longest wait').textContent()) ?? '')
    .split(':')
    .map(Number)
  return minutes * 60 + seconds
}

describe('the wallboard', () => {
  test('counts all live calls, however many newer ones have ended', async () => {
    await newCalls(shop, { count: 57, state: 'bridged' })
    await newCalls(shop, { count: 60, state: 'ended' })
    await page.goto(`${bellhop.url}/live`)
    await expect.poll(() => figure('Calls now').textContent(), PATIENT).toBe('57')
    await expect.poll(() => figure('Waiting in the queue').textContent(), PATIENT).toBe('0')
    await expect.poll(() => figure('Missed').textContent(), PATIENT).toMatch(/^\d+$/)
  })

  test('shows a waiting caller, for how long, and that they have left', async () => {
    const away = await newSignInEmployee(bellhop, company)
    const { number } = await numberWith(bellhop, company, { type: 'TransferConfig', employee_ids: [away.id] })
    const missedBefore = await missed()
    const customer = await dial(number, { from: '+4529384756' })
    await customer.connected()
    const waiting = page.locator('li', { hasText: '+45 29 38 47 56' })
    await waiting.getByText('Number 1 in line').waitFor()
    await expect.poll(() => figure('Waiting in the queue').textContent(), PATIENT).toBe('1')
    const first = await longestWait()
    await expect.poll(longestWait, PATIENT).toBeGreaterThan(first)
    customer.hangUp()
    await callIs(company, 'ended')
    await waiting.waitFor({ state: 'detached' })
    await expect.poll(() => figure('Waiting in the queue').textContent(), PATIENT).toBe('0')
    await expect.poll(() => figure('Calls now').textContent(), PATIENT).toBe('57')
    await expect.poll(missed, PATIENT).toBe(missedBefore + 1)
  })

  test('fills a screen on the wall, with nothing but itself', async () => {
    const navigation = page.getByRole('navigation', { name: 'Main', exact: true })
    const isFull = () => page.evaluate(() => document.fullscreenElement !== null)
    const before = await size()
    await navigation.waitFor()
    await page.getByRole('button', { name: 'Full screen' }).click()
    await expect.poll(isFull, PATIENT).toBe(true)
    await navigation.waitFor({ state: 'hidden' })
    await expect.poll(size, PATIENT).toBeGreaterThan(1.3 * before)
    expect(await seriousFaults(page)).toEqual([])
    await page.keyboard.press('Escape')
    await expect.poll(isFull, PATIENT).toBe(false)
    await navigation.waitFor()
    await expect.poll(size, PATIENT).toBe(before)
  })

  test('shows a change of a coworker’s status at once', async () => {
    await openLive(page, `${bellhop.url}/live`)
    const { body } = await company.api.get('/employees')
    const { id, name } = body.employees[0]
    const row = page.locator('section', { hasText: 'Team' }).locator('li', { hasText: name }).first()
    await row.waitFor()
    await company.api.put(`/employees/${id}/do_not_disturb`, { enabled: true, expires_at: null })
    await eventually(async () => expect(await row.textContent()).toMatch(/do not disturb/i))
  })
})
