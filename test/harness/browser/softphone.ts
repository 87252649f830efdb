import { randomUUID } from 'node:crypto'

import type { BrowserContextOptions, Page } from 'playwright-core'
import { onTestFinished } from 'vitest'

import { encodeId } from '../../../server/platform/ids.ts'
import { newEmployee } from '../employees.ts'
import type { Harness, TestCompany } from '../index.ts'
import { letTimePass } from '../test-clock.ts'
import { openPage } from './browser.ts'
import { addSession } from './dashboard.ts'
import { PASSWORD } from './sign-in.ts'

const PATIENCE = { timeout: 30_000 }

interface BrowserWishes extends BrowserContextOptions {
  /** When it closes: `afterAll` for one that a file shares. */
  whenOver?(close: () => void | Promise<void>): void
}

/** An employee signed in at their own browser, whose microphone plays this tone, or which has no microphone. */
export async function newBrowserEmployee(
  bellhop: Harness,
  company: TestCompany,
  name: string,
  hz?: number,
  { whenOver = onTestFinished, ...options }: BrowserWishes = {},
) {
  const email = `${randomUUID()}@example.com`
  const employee = await bellhop.db.tx((tx) =>
    newEmployee(tx, company.companyId, { name, email, password: PASSWORD }),
  )
  const page = await openPage({ locale: 'en-GB', ...options })
  whenOver(() => page.context().close())
  letTimePass(bellhop.clock, whenOver)
  if (hz !== undefined) await page.addInitScript(microphone(hz))
  await addSession(page, bellhop.url, { email, password: PASSWORD })
  await page.goto(bellhop.url)
  return {
    id: encodeId('emp', employee.id),
    ...phoneOf(page),
    /** Another tab of the same browser. The script runs first, for example to give the tab its own microphone. */
    async newTab(script: string) {
      const tab = await page.context().newPage()
      await tab.addInitScript(script)
      await tab.goto(bellhop.url)
      return phoneOf(tab)
    },
  }
}

/** What is visible and can be done on a page's softphone. */
export function phoneOf(page: Page) {
  const phone = page.getByRole('region', { name: 'Phone' })
  const press = (label: string | RegExp) => phone.getByRole('button', { name: label }).click(PATIENCE)
  return {
    page,
    /** The root element of the phone. */
    phone,
    press,
    /** The state of the phone, from its element. */
    is: (state: string) =>
      page.waitForSelector(`[data-phone="${state}"]`, { ...PATIENCE, state: 'attached' }),
    says: (text: string | RegExp) => phone.getByText(text).first().waitFor(PATIENCE),
    hears: (hz: number) => page.evaluate(`(${hears})(${hz}, ${PATIENCE.timeout})`),
  }
}

/** From the next load of the page on, its phone's request to rejoin a call is held back until it is released. */
export async function holdRejoining(page: Page) {
  let release!: () => void
  const released = new Promise<void>((resolve) => (release = resolve))
  await page.routeWebSocket('**/sip', (client) => {
    const server = client.connectToServer()
    client.onMessage((message) => {
      if (!String(message).startsWith('INVITE sip:rejoin@')) return server.send(message)
      void released.then(() => server.send(message))
    })
  })
  return { release }
}

export type BrowserEmployee = Awaited<ReturnType<typeof newBrowserEmployee>>

/** Runs in the page: replaces the microphone by an oscillator, because the machine has none. */
export const microphone = (hz: number) => `const devices = navigator.mediaDevices
const list = devices.enumerateDevices.bind(devices)
devices.enumerateDevices = async () => [...(await list()), { kind: 'audioinput', deviceId: 'tone', label: 'Tone' }]
devices.getUserMedia = async () => {
  const audio = new AudioContext()
  await audio.resume()
  const oscillator = new OscillatorNode(audio, { frequency: ${hz} })
  const volume = new GainNode(audio, { gain: 0.5 })
  const microphone = new MediaStreamAudioDestinationNode(audio)
  oscillator.connect(volume).connect(microphone)
  oscillator.start()
  return microphone.stream
}`

/** Runs in the page: waits until the phone plays this tone. */
const hears = `async (hz, patienceMs) => {
  const audio = new AudioContext()
  await audio.resume()
  let stream, ear
  for (const started = Date.now(); ;) {
    const now = document.querySelector('audio[data-phone]')?.srcObject
    if (now && now !== stream) {
      stream = now
      ear = new AnalyserNode(audio, { fftSize: 8192, smoothingTimeConstant: 0 })
      new MediaStreamAudioSourceNode(audio, { mediaStream: stream }).connect(ear)
    }
    let heard = 'nothing'
    if (ear) {
      const levels = new Float32Array(ear.frequencyBinCount)
      ear.getFloatFrequencyData(levels)
      const loudest = levels.indexOf(Math.max(...levels))
      const width = audio.sampleRate / ear.fftSize
      heard = loudest * width + ' Hz at ' + levels[loudest] + ' dB'
      if (levels[loudest] > -50 && Math.abs(loudest * width - hz) < 2 * width) return audio.close()
    }
    if (Date.now() - started > patienceMs) throw new Error('heard ' + heard + ' instead of ' + hz + ' Hz')
    await new Promise((resume) => setTimeout(resume, 50))
  }
}`
