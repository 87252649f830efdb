import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'

import { afterFile } from '../after-file.ts'

/** What Debian, Ubuntu and Google call the same browser. */
const NAMES = ['chromium', 'chromium-browser', 'google-chrome']

/** A browser takes long to start on a busy machine. */
const START_MS_MAX = 60_000

/** Pages may call over loopback, and sound without anybody's click. */
const LOOPBACK_CALLS = [
  '--allow-loopback-in-peer-connection',
  '--disable-features=WebRtcHideLocalIpsWithMdns',
  '--autoplay-policy=no-user-gesture-required',
]

let started: Promise<Browser> | undefined
const moreFlags: string[] = []

/** For a file that needs more of its browser; before the first page. */
export const startBrowserWith = (...flags: string[]) => void moreFlags.push(...flags)

/** A page of its own, with no cookies, in a browser that all tests of the file share. Both close after them. */
export async function openPage(options: BrowserContextOptions = {}): Promise<Page> {
  started ??= launch()
  const context = await (await started).newContext(options)
  // A machine that has but loopback is offline to its browser, which reaches us nevertheless.
  await context.addInitScript("Object.defineProperty(navigator, 'onLine', { get: () => true })")
  return context.newPage()
}

function launch(): Promise<Browser> {
  afterFile(async () => {
    await (await started)?.close()
    started = undefined
  })
  return chromium.launch({
    executablePath: findChromium(),
    timeout: START_MS_MAX,
    // Chromium refuses to run as root with its sandbox; the pages here are our own.
    args: [...LOOPBACK_CALLS, ...moreFlags.splice(0), ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
  })
}

function findChromium(): string {
  const folders = (process.env.PATH ?? '').split(delimiter)
  const found = NAMES.flatMap((name) => folders.map((folder) => join(folder, name))).find((path) =>
    existsSync(path),
  )
  if (found) return found
  throw new Error('there is no Chromium on the PATH: run test/setup/install-programs')
}
