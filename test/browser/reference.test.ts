import { beforeAll, expect, test } from 'vitest'

import { openPage } from '../harness/browser/browser.ts'
import { type Harness, harness } from '../harness/index.ts'

const within = { timeout: 120_000 }

let bellhop: Harness
beforeAll(async () => {
  bellhop = await harness()
})

test('the reference at /docs is shown, and respects its content security policy', async () => {
  const page = await openPage()
  const complaints: string[] = []
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
  page.on('pageerror', (error) => complaints.push(error.message))
  const answer = await page.goto(`${bellhop.url}/docs`)
  const policy = answer!.headers()['content-security-policy']!
  const scripts = policy.split('; ').find((rule) => rule.startsWith('script-src'))
  expect(scripts).toBe("script-src 'self'")

  await page.getByRole('heading', { name: 'Bellhop' }).first().waitFor(within)
  expect(await page.title()).toBe('Bellhop API')
  await page.getByText('/api/v1/session').first().waitFor(within)
  await page.goto(`${bellhop.url}/docs#tag/company`)
  await page.getByText('/api/v1/company').first().waitFor(within)
  expect(complaints).toEqual([])
  await page.close()
})
