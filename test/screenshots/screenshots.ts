import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { encodeId } from '../../server/platform/ids.ts'
import { packageRoot } from '../../server/platform/package-root.ts'
import { startCompleteBrowser } from '../harness/browser/browser.ts'
import { signInAtDashboard } from '../harness/browser/dashboard.ts'
import { openPhoneSystem } from '../harness/calls/phone-system.ts'
import { contextServer } from '../harness/peers/context-server.ts'
import { KNOWN_OF_MIKKEL, newShowcase } from '../harness/showcase.ts'
import { sendText } from '../harness/texts/texting.ts'

const folder = join(packageRoot, 'docs/screenshots')

// With a microphone.
startCompleteBrowser('--use-fake-device-for-media-stream')

// With an edge, so that the phone is ready.
const { bellhop } = await openPhoneSystem({
  BELLHOP_WEBHOOKS_ALLOW_INSECURE: '1',
  MESSAGE_KEYS: `1:${'x'.repeat(43)}`,
  SIP_SIMULATOR: 'on',
  SIP_TRUNKS: '[]',
})

test('takes screenshots of the main pages, light and dark', async () => {
  const company = await newShowcase(bellhop)
  await company.api.put('/onboarding', { dismissed: true })
  const crm = await contextServer(() => KNOWN_OF_MIKKEL)
  await company.api.post('/integrations', { provider: 'custom', label: 'CRM', url: crm.url })
  const shop = encodeId('num', company.numbers.shop)
  const menu = {
    type: 'PhoneMenuConfig',
    welcome: 'Welcome to Nordlys Cykler. Press 1 for the shop, or 2 for the workshop.',
    menu_options: [
      { digit: '1', action_type: 'TransferConfig', employee_ids: [encodeId('emp', company.employeeId)] },
      {
        digit: '2',
        action_type: 'VoicemailConfig',
        prompt: 'The workshop calls you back. Leave your number after the tone.',
      },
    ],
  }
  await company.api.put(`/business_numbers/${shop}/incoming_call_config`, menu)
  await sendText(company, company.numbers.shop, {
    to: '+4520304050',
    text: 'Yes, it is ready. See you at four!',
  })
  await company.api.post('/webhooks', {
    name: 'CRM',
    url: 'https://crm.nordlys.example/bellhop',
    events: ['call.ended', 'message.received'],
  })
  // Sends the text and synthesises the prompts.
  await bellhop.drainJobs()
  const PAGES = {
    inbox: '/inbox/+4520304050',
    calls: '/calls',
    contacts: '/contacts',
    employees: '/employees',
    numbers: `/numbers/${shop}`,
    live: '/live',
    voicemails: '/voicemails',
    webhooks: '/webhooks',
    company: '/company',
  }
  await mkdir(folder, { recursive: true })
  const { page, complaints } = await signInAtDashboard(bellhop, company)
  await page.setViewportSize({ width: 1360, height: 850 })
  for (const theme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: theme })
    for (const [name, path] of Object.entries(PAGES)) {
      await page.goto(bellhop.url + path)
      await page.waitForSelector('h1')
      await page.waitForSelector('[data-phone=ready]')
      await page.waitForLoadState('networkidle')
      await page.screenshot({ path: join(folder, `${name}-${theme}.png`) })
    }
  }
  await page.goto(bellhop.url + PAGES.numbers)
  await page.getByRole('button', { name: 'Walk through a call' }).click()
  const walk = page.getByRole('dialog')
  await walk.getByLabel('When open').check()
  await walk.getByText('Press 1 for the shop').waitFor()
  await page.keyboard.press('1')
  await walk.getByRole('button', { name: 'Somebody answers' }).waitFor()
  await page.screenshot({ path: join(folder, 'walk-through-dark.png') })
  await page.keyboard.press('Escape')
  await page.emulateMedia({ colorScheme: 'light' })
  await page.getByRole('button', { name: /^Change: Press 2/ }).click()
  // The colours fade.
  await page.waitForTimeout(500)
  await page.screenshot({ path: join(folder, 'number-editing-light.png') })
  await page.setViewportSize({ width: 390, height: 780 })
  for (const [name, path] of [
    ['inbox', '/inbox'],
    ['conversation', PAGES.inbox],
  ] as const) {
    await page.goto(bellhop.url + path)
    await page.waitForSelector('[data-phone=ready]')
    await page.waitForLoadState('networkidle')
    await page.screenshot({ path: join(folder, `phone-${name}.png`) })
  }
  expect(complaints).toEqual([])
})
