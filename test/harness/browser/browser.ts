import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'

import { afterFile } from '../after-file.ts'

/** The names that Debian, Ubuntu and Google give the same browser. */
const COMPLETE = ['chromium', 'chromium-browser', 'google-chrome']

/** The same engine without windows, which needs two thirds of the CPU time; where it is not installed, the complete one. */
const WINDOWLESS = ['chromium-headless-shell', ...COMPLETE]

/** A browser takes long to start on a busy machine. */
const START_MS_MAX = 60_000

/** Chromium's address bar loads pages of its own with each window, which cost more than most pages under test. */
const ADDRESS_BAR_FEATURES = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup']

/** Pages may call over loopback, and play audio without a click. */
const FLAGS = [
  '--allow-loopback-in-peer-connection',
  '--autoplay-policy=no-user-gesture-required',
  // Only the last switch of this name counts.
  `--disable-features=${['WebRtcHideLocalIpsWithMdns', ...ADDRESS_BAR_FEATURES].join(',')}`,
  // Threads of the garbage collector have no core of their own, and cost a tenth of the CPU time of a page. Pages do not
  // live long enough to gain from compiled code.
  '--js-flags=--single-threaded-gc --no-opt --no-maglev --no-sparkplug',
  // There is none, and emulating one costs more than drawing without.
  '--disable-gpu',
]

interface BrowserWish {
  /** The first that is installed. */
  programs: string[]
  flags: string[]
}

const USUAL: BrowserWish = { programs: WINDOWLESS, flags: [] }
let wish = USUAL

/** By program and flags. They end with the process: starting one costs more than most files do with it. */
const browsers = new Map<string, Promise<Browser>>()

/** For a file that needs the complete browser, with these flags; before the first page. */
export function startCompleteBrowser(...flags: string[]): void {
  wish = { programs: COMPLETE, flags }
  afterFile(() => (wish = USUAL))
}

/** A page of its own, with no cookies, in a browser that files share. It closes after the file's tests. */
export async function openPage(options: BrowserContextOptions = {}): Promise<Page> {
  const browser = await started(wish)
  // Frames of animations that nobody sees cost CPU time too.
  const context = await browser.newContext({ reducedMotion: 'reduce', ...options })
  afterFile(() => context.close())
  // A machine with only a loopback interface is offline to its browser, which reaches us nevertheless.
  await context.addInitScript("Object.defineProperty(navigator, 'onLine', { get: () => true })")
  return context.newPage()
}

async function started({ programs, flags }: BrowserWish): Promise<Browser> {
  const program = firstInstalled(programs)
  const key = [program, ...flags].join(' ')
  const known = browsers.get(key)
  if (known && (await known).isConnected()) return known
  const launched = launch(program, flags)
  browsers.set(key, launched)
  return launched
}

const launch = (executablePath: string, flags: string[]): Promise<Browser> =>
  chromium.launch({
    executablePath,
    timeout: START_MS_MAX,
    // Chromium refuses to run as root with its sandbox; the pages here are our own.
    args: [...FLAGS, ...flags, ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
  })

function firstInstalled(programs: string[]): string {
  const folders = (process.env.PATH ?? '').split(delimiter)
  const found = programs
    .flatMap((name) => folders.map((folder) => join(folder, name)))
    .find((path) => existsSync(path))
  if (found) return found
  throw new Error('there is no Chromium on the PATH: run test/setup/install-programs')
}
