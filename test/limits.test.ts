import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { beforeAll, describe, expect, test } from 'vitest'

import { packageRoot } from '../server/platform/package-root.ts'
import { type LimitsGroup, limitsPage, readLimits } from './harness/limits-page.ts'

let groups: LimitsGroup[]
beforeAll(async () => {
  groups = await readLimits()
})

describe('every limit', () => {
  test('is in the limits.ts of its module', async () => {
    const elsewhere: string[] = []
    for (const folder of ['bin', 'server'])
      for (const name of await readdir(join(packageRoot, folder), { recursive: true })) {
        if (!name.endsWith('.ts') || /\.test\.ts$|(^|\/)limits\.ts$/.test(name)) continue
        const text = await readFile(join(packageRoot, folder, name), 'utf8')
        if (/\bconst (\w+_)?LIMITS\b/.test(text)) elsewhere.push(join(folder, name))
      }
    expect(elsewhere).toEqual([])
  })

  test('says what it bounds', () => {
    const silent = groups.flatMap(({ path, name, comment, limits }) => [
      ...(comment ? [] : [`${path} ${name}`]),
      ...limits.filter(({ comment }) => !comment).map((limit) => `${path} ${name}.${limit.name}`),
    ])
    expect(silent).toEqual([])
    expect(groups.flatMap(({ limits }) => limits).length).toBeGreaterThan(200)
  })

  test('is in docs/operating/limits.md: `npm run limits-page` writes it', async () => {
    await expect(limitsPage(groups)).toMatchFileSnapshot('../docs/operating/limits.md')
  })
})
