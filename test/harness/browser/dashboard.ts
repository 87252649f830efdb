import type { Page } from 'playwright-core'

import { afterFile } from '../after-file.ts'
import { letTimePass, type TestClock } from '../test-clock.ts'
import { openPage } from './browser.ts'
import { formBrowser } from './form-browser.ts'

/** Opens a page and waits until it has joined the live channel: from then on it must update by itself. */
export async function openLive(page: Page, address: string): Promise<void> {
  const hears = new Promise<void>((resolve) => {
    page.on('websocket', (socket) =>
      socket.on('framereceived', ({ payload }) => {
        if (payload.includes('confirm_subscription')) resolve()
      }),
    )
  })
  await page.goto(address)
  await hears
}

interface Credentials {
  email: string
  password: string
}

/** Signs in without the sign-in pages: each takes the browser about as long as the dashboard. */
export async function addSession(page: Page, url: string, { email, password }: Credentials): Promise<void> {
  const { cookies, post } = formBrowser(url)
  await post('/sign-in', { email, password })
  await page.context().addCookies([...cookies].map(([name, value]) => ({ name, value, url })))
}

interface Service {
  url: string
  /** Of a service that does not run in real time. */
  clock?: TestClock
}

interface Dashboard {
  page: Page
  /** The errors of its page. */
  complaints: string[]
}

/** A window with the dashboard of an employee who has signed in before. */
export async function openDashboard(
  { url, clock }: Service,
  employee: Credentials,
  path = '/',
): Promise<Dashboard> {
  const page = await openPage()
  if (clock) letTimePass(clock, afterFile)
  await addSession(page, url, employee)
  const complaints = complaintsOf(page)
  await page.goto(url + path)
  await page.waitForSelector('nav')
  return { page, complaints }
}

/** The same through the sign-in page, where an employee without a session is sent. */
export async function signInAtDashboard(
  { url, clock }: Service,
  employee: Credentials,
  path = '/',
): Promise<Dashboard> {
  const page = await openPage()
  if (clock) letTimePass(clock, afterFile)
  await page.goto(url + path)
  await page.fill('#email', employee.email)
  await page.fill('#password', employee.password)
  await page.click('main button')
  await page.waitForSelector('nav')
  // Not earlier: browsers report the 401 that leads to the sign-in page as an error.
  return { page, complaints: complaintsOf(page) }
}

/** Goes to another path of an open dashboard as its links do: without loading the document again. */
export const goWithin = (page: Page, path: string): Promise<void> =>
  page.evaluate(`history.pushState({}, '', ${JSON.stringify(path)})`)

function complaintsOf(page: Page): string[] {
  const complaints: string[] = []
  // A failed request is only named by its place.
  page.on('console', (message) => complaints.push(`${message.text()} ${message.location().url}`))
  page.on('pageerror', (error) => complaints.push(error.message))
  return complaints
}
