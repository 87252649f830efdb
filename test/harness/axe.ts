import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

import type { Page } from 'playwright-core'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** What axe finds serious or worse on the page as it is shown now. */
export async function seriousFaults(page: Page): Promise<string[]> {
  // Playwright brings it in past the policy of the page, which takes no script from elsewhere.
  return (await page.evaluate(`${axe};
    axe.run({ resultTypes: ['violations'] }).then(({ violations }) => violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ': ' + html.slice(0, 300))))`)) as string[]
}
