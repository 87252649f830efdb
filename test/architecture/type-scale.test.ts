import { expect, test } from 'vitest'

import { readSources } from './sources.ts'

test('no page has font sizes of its own: they are in web/style.css', async () => {
  const sources = await readSources(['web'])
  const own = sources.flatMap(({ path, text }) =>
    [...text.matchAll(/\b(?:text|leading)-\[[^\]]*\]|fontSize|\btext-(?:xl|[5-9]xl)\b/g)].map(
      ([size]) => `${path}: ${size}`,
    ),
  )
  expect(sources.length).toBeGreaterThan(100)
  expect(own).toEqual([])
})
