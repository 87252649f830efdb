/**
 * Claim: the inbox of the dashboard is ready for its user within 1.5 times as long with 20,000 threads, and as many
 * contacts, as with 50. It is ready when a key opens the first conversation and its activity is shown. Both companies
 * are in one database, and their pages are loaded in turns by one browser whose cache is warm.
 */
import { type Browser, chromium, type Page } from 'playwright-core'

import { withFixture, type FixtureCompany } from '../fixture.ts'
import { type Bench, compare, type Contender, TIMINGS } from '../measure.ts'
import { seedInboxes, TEXT_KEYS } from './seed-inbox.ts'

const THREADS = { many: 20_000, few: 50 }
const GOAL = 1 / 1.5
const ROUNDS = 15

export const inboxPage: Bench = {
  name: 'inbox-page',
  run: () =>
    withFixture(async ({ db, addCompany, startBellhop }) => {
      const many = await addCompany()
      const few = await addCompany()
      await seedInboxes(db, [
        { ...few, threads: THREADS.few },
        { ...many, threads: THREADS.many },
      ])
      const url = await startBellhop(TEXT_KEYS)
      const browser = await chromium.launch({
        executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
        args: ['--no-sandbox'],
      })
      try {
        const [first, second] = await Promise.all([loads(browser, url, many), loads(browser, url, few)])
        return [
          {
            what: 'the inbox until its first conversation is shown, loads a minute',
            sides: ['20,000 threads:', '50 threads:'],
            goal: GOAL,
            ...(await compare(first, second, { ...TIMINGS.heavy, rounds: ROUNDS })),
          },
        ]
      } finally {
        await browser.close()
      }
    }),
}

/** Loads the inbox of the company's employee, as often as it can in the time. */
async function loads(browser: Browser, url: string, { employee }: FixtureCompany): Promise<Contender> {
  const context = await browser.newContext()
  // A machine with only a loopback interface is offline to its browser, which reaches us nevertheless.
  await context.addInitScript("Object.defineProperty(navigator, 'onLine', { get: () => true })")
  const page = await context.newPage()
  await page.goto(`${url}/sign-in`)
  await page.fill('#email', employee.email)
  await page.fill('#password', employee.password)
  await page.keyboard.press('Enter')
  await page.waitForSelector('nav')
  return async (ms) => {
    const start = performance.now()
    let count = 0
    for (; count === 0 || performance.now() - start < ms; count++) await openFirst(page, `${url}/inbox`)
    return (count * 60_000) / (performance.now() - start)
  }
}

async function openFirst(page: Page, address: string): Promise<void> {
  await page.goto(address, { waitUntil: 'commit' })
  await page.waitForSelector('a[href*="/inbox/"]')
  await page.keyboard.press('j')
  await page.waitForSelector('[role=log] li')
}
