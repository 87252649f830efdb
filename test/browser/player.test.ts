import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'

import { faultsInEveryLook } from '../harness/browser/axe.ts'
import { openDashboard } from '../harness/browser/dashboard.ts'
import { newVoicemail } from '../harness/calls/telephony.ts'
import { type Harness, harness } from '../harness/index.ts'
import { newShowcase, type Showcase } from '../harness/showcase.ts'
import { storeSound } from '../harness/sound/recorded-voicemail.ts'

let bellhop: Harness
let company: Showcase
let page: Page

beforeAll(async () => {
  bellhop = await harness()
  company = await newShowcase(bellhop)
  const recording_key = await storeSound(bellhop, company, 'with-pause', [
    { seconds: 1, isTone: true },
    { seconds: 5, isTone: false },
    { seconds: 1, isTone: true },
  ])
  await newVoicemail(company, {
    recording_key,
    from_number: '+4530445566',
    transcription: 'The saddle squeaks terribly.',
  })
  await company.api.post('/contacts', { phone: '+4530445566', name: 'Åse Møller' })
  page = (await openDashboard(bellhop, company, '/voicemails')).page
  page.setDefaultTimeout(60_000)
})

test('a recording shows its waveform and length before any of it is loaded, and skips its pauses', async () => {
  const loaded: string[] = []
  page.on('request', (request) => request.url().includes('/files/') && loaded.push(request.url()))
  await page.reload()
  const player = page.getByRole('group', { name: 'Voicemail from Åse Møller' })
  await player.locator('svg rect').first().waitFor()
  await player.getByText(/^0:0[78]$/).waitFor()
  expect(loaded).toEqual([])
  expect(await faultsInEveryLook(page)).toEqual([])
  const played = () =>
    player
      .locator('audio')
      .evaluate(({ played, ended }: HTMLAudioElement) => ({ parts: played.length, ended }))
  await player.getByRole('button', { name: 'Skip silence' }).click()
  await player.getByRole('button', { name: 'Play' }).click()
  await expect.poll(played, { timeout: 60_000 }).toEqual({ parts: 2, ended: true })
})

test('voicemails are found by what was said, on their page and in the palette', async () => {
  await page.goto(`${bellhop.url}/voicemails`)
  const rows = page.getByRole('main').getByRole('group', { name: /^Voicemail from/ })
  await page.getByText('The saddle squeaks terribly.').waitFor()
  await page.getByLabel('Search what was said, or who said it').fill('squeaks')
  const marked = () => page.locator('main mark').allTextContents()
  await expect.poll(marked, { timeout: 60_000 }).toEqual(['squeaks'])
  expect(await rows.count()).toBe(1)
  expect(await faultsInEveryLook(page)).toEqual([])
  await page.getByLabel('Search what was said, or who said it').fill('nobody said this')
  await page.getByText('Nothing found').waitFor()
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog', { name: 'Go to' }).getByRole('combobox').fill('saddle')
  await page
    .getByRole('group', { name: 'Voicemails' })
    .getByRole('option', { name: /Åse Møller/ })
    .click()
  await page.waitForURL('**/inbox/+4530445566')
})
