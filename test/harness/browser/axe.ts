import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

import type { Page } from 'playwright-core'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

type Rules = 'all' | 'of colours'

/** The violations that axe rates as serious or worse on the page as it is now. */
export async function seriousFaults(page: Page, rules: Rules = 'all'): Promise<string[]> {
  // Playwright bypasses the page's content security policy, which allows no other scripts.
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(axe)
  const ofColours = {
    runOnly: { type: 'tag', values: ['cat.color'] },
    // By itself axe does not ask for level AAA, but a tag does.
    rules: { 'color-contrast-enhanced': { enabled: false } },
  }
  const options = { resultTypes: ['violations'], ...(rules === 'of colours' && ofColours) }
  return (await page.evaluate(`
    axe.run(${JSON.stringify(options)}).then(({ violations }) => violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .flatMap(({ id, nodes }) => nodes.map(({ html, any }) =>
        [id, html.slice(0, 300), ...any.map(({ message }) => message)].join(': '))))`)) as string[]
}

const SCREENS = { desktop: { width: 1280, height: 800 }, phone: { width: 390, height: 780 } }

/** The dark scheme gives variables of colours other values, and changes nothing else: no other rule can tell it apart. */
const COLOURS = { light: 'all', dark: 'of colours' } as const

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
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await page.evaluate(settled)
      const serious = await seriousFaults(page, COLOURS[colorScheme])
      faults.push(...serious.map((fault) => `${screen}, ${colorScheme}: ${fault}`))
    }
  }
  await page.emulateMedia({ colorScheme: 'light' })
  return faults
}
