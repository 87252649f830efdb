import type { Page } from 'playwright-core'

import { openPage } from './browser.ts'

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

/** A window with an employee signed in at the dashboard, and the errors of its page. */
export async function signInAtDashboard(
  url: string,
  { email, password }: { email: string; password: string },
  path = '/',
): Promise<{ page: Page; complaints: string[] }> {
  const page = await openPage()
  await page.goto(url + path)
  await page.fill('#email', email)
  await page.fill('#password', password)
  await page.click('main button')
  await page.waitForSelector('nav')
  // Not earlier: browsers report the 401 that leads to the sign-in page as an error.
  const complaints: string[] = []
  page.on('console', (message) => complaints.push(message.text()))
  page.on('pageerror', (error) => complaints.push(error.message))
  return { page, complaints }
}
