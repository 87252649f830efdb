import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

import type { Page } from 'playwright-core'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** The violations that axe rates as serious or worse on the page as it is now. */
export async function seriousFaults(page: Page): Promise<string[]> {
  // Playwright bypasses the page's content security policy, which allows no other scripts.
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(axe)
  return (await page.evaluate(`
    axe.run({ resultTypes: ['violations'] }).then(({ violations }) => violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .flatMap(({ id, nodes }) => nodes.map(({ html, any }) =>
        [id, html.slice(0, 300), ...any.map(({ message }) => message)].join(': '))))`)) as string[]
}

const SCREENS = { desktop: { width: 1280, height: 800 }, phone: { width: 390, height: 780 } }
const COLOURS = ['light', 'dark'] as const

/** Runs in the page: waits for transitions of colours to end. They start with the next frame. */
const settled = `(async () => {
  const nextFrame = () => new Promise((shown) => requestAnimationFrame(shown))
  await nextFrame()
  await nextFrame()
  await Promise.allSettled(document.getAnimations().map(({ finished }) => finished))
})()`

export type Screen = keyof typeof SCREENS

/**
 * The same in every colour scheme and screen size of an open page, and whether the page overflows horizontally. Leaves
 * the page in the light scheme and the last size.
 */
export async function faultsInEveryLook(
  page: Page,
  screens: Screen[] = ['phone', 'desktop'],
): Promise<string[]> {
  const faults: string[] = []
  for (const screen of screens) {
    await page.setViewportSize(SCREENS[screen])
    const sticksOut = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')
    if (sticksOut !== 0) faults.push(`${screen}: something sticks out by ${sticksOut} px`)
    for (const colorScheme of COLOURS) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await page.evaluate(settled)
      const serious = await seriousFaults(page)
      faults.push(...serious.map((fault) => `${screen}, ${colorScheme}: ${fault}`))
    }
  }
  await page.emulateMedia({ colorScheme: 'light' })
  return faults
}
