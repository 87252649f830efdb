import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

import type { Page } from 'playwright-core'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** What axe finds serious or worse on the page as it is shown now. */
export async function seriousFaults(page: Page): Promise<string[]> {
  // Playwright brings it in past the policy of the page, which takes no script from elsewhere.
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(axe)
  return (await page.evaluate(`
    axe.run({ resultTypes: ['violations'] }).then(({ violations }) => violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .flatMap(({ id, nodes }) => nodes.map(({ html, any }) =>
        [id, html.slice(0, 300), ...any.map(({ message }) => message)].join(': '))))`)) as string[]
}

const SCREENS = { desktop: { width: 1280, height: 800 }, phone: { width: 390, height: 780 } }
const COLOURS = ['light', 'dark'] as const

/** In the page: a colour on its way to another is neither. It hears of the other with the next frame. */
const settled = `(async () => {
  const nextFrame = () => new Promise((shown) => requestAnimationFrame(shown))
  await nextFrame()
  await nextFrame()
  await Promise.allSettled(document.getAnimations().map(({ finished }) => finished))
})()`

export type Screen = keyof typeof SCREENS

/**
 * The same, and what sticks out at the side, in every look of a page that stays open. It is left as it is by day on the
 * last of these screens.
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
