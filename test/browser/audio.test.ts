import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'

import { encodeId } from '../../server/platform/ids.ts'
import { openPage } from '../harness/browser/browser.ts'
import { newNumber } from '../harness/calls/telephony.ts'
import { type Harness, harness, type TestCompany } from '../harness/index.ts'
import { analyseWav } from '../harness/sound/wav-analysis.ts'

type Player = HTMLAudioElement

let bellhop: Harness
let company: TestCompany

beforeAll(async () => {
  bellhop = await harness()
  company = await bellhop.newCompany()
})

async function audioOf(language: string, greeting: string): Promise<string> {
  const id = await newNumber(company, { language, incoming: { type: 'VoicemailConfig', greeting } })
  await bellhop.drainJobs()
  const { body } = await company.api.get(`/business_numbers/${encodeId('num', id)}`)
  return body.incoming_call_config.greeting_audio_url
}

/** A page with an audio player, like that of the dashboard. */
async function openPlayer(url: string): Promise<Page> {
  const page = await openPage()
  await page.setContent('<audio controls></audio>')
  await page.locator('audio').evaluate(
    (audio: Player, src) =>
      new Promise((resolve, reject) => {
        audio.addEventListener('canplay', resolve, { once: true })
        audio.addEventListener('error', () => reject(new Error(audio.error?.message)), { once: true })
        audio.src = src
      }),
    url,
  )
  return page
}

/** Plays from the current position to the end; returns where it started and ended, in seconds. */
const playToEnd = (page: Page) =>
  page.locator('audio').evaluate(async (audio: Player) => {
    const from = audio.currentTime
    const ended = new Promise((resolve) => audio.addEventListener('ended', resolve, { once: true }))
    await audio.play()
    await ended
    return { from, to: audio.currentTime, duration: audio.duration }
  })

const seek = (page: Page, seconds: number) =>
  page.locator('audio').evaluate(
    (audio: Player, to) =>
      new Promise((resolve) => {
        audio.addEventListener('seeked', resolve, { once: true })
        audio.currentTime = to
      }),
    seconds,
  )

test.each([
  ['da', 'Hej, du taler med Nordlys.'],
  ['en', 'Hello, this is Nordlys.'],
])('a browser plays the greeting of a number in the language %s to its end', async (language, greeting) => {
  const url = await audioOf(language, greeting)
  const { seconds } = analyseWav(Buffer.from(await (await fetch(url)).arrayBuffer()))
  const { from, to, duration } = await playToEnd(await openPlayer(url))
  expect(from).toBe(0)
  expect(duration).toBeCloseTo(seconds, 1)
  expect(to).toBe(duration)
})

test('a browser seeks to the end of a long greeting without loading the part in between', async () => {
  const url = await audioOf('da', 'Vi har åbent alle hverdage fra klokken otte til seksten. '.repeat(70))
  const page = await openPlayer(url)
  const ranges: { from: number; status: number }[] = []
  page.on('response', (response) => {
    const from = /^bytes=(\d+)-/.exec(response.request().headers().range ?? '')?.[1]
    ranges.push({ from: Number(from), status: response.status() })
  })
  const duration = await page.locator('audio').evaluate((audio: Player) => audio.duration)
  expect(duration).toBeGreaterThan(120)

  await seek(page, duration - 1)
  const played = await playToEnd(page)
  expect(played.from).toBeCloseTo(duration - 1, 1)
  expect(played.to).toBe(duration)
  const bytesPerSecond = 44_100
  expect(ranges).toContainEqual({ from: expect.any(Number), status: 206 })
  expect(Math.max(...ranges.map(({ from }) => from))).toBeGreaterThan((duration - 20) * bytesPerSecond)
})
