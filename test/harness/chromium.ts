import { type Browser, chromium } from 'playwright-core'
import { afterAll } from 'vitest'

/** A real browser, closed with the test file. */
export async function startChromium(): Promise<Browser> {
  const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] })
  afterAll(() => browser.close())
  return browser
}
