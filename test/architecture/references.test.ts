import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { dirname, join, posix } from 'node:path'

import { describe, expect, test } from 'vitest'

import { packageRoot } from '../../server/platform/package-root.ts'

interface Page {
  /** From the root of the project. */
  path: string
  text: string
}

/** Files that the reader of a walk-through creates. */
const EXAMPLES = new Set([
  'server/telephony/flow/beep.ts',
  'db/migrations/NNNN-voicemail-beep.sql',
  'web/languages/nb.ts',
])

describe('the documentation', () => {
  test('links only to files that exist', async () => {
    const pages = await readPages()
    expect(pages.flatMap(relativeLinks).length).toBeGreaterThan(50)
    expect(pages.flatMap(deadLinks)).toEqual([])
  })

  test('names only paths that exist', async () => {
    const pages = await readPages()
    expect(pages.flatMap(namedPaths).length).toBeGreaterThan(50)
    expect(pages.flatMap(deadPaths)).toEqual([])
  })
})

describe('the check itself', () => {
  test.each([
    ['docs/data.md', '[a page](nowhere.md)'],
    ['docs/data.md', '[a section](nowhere.md#section)'],
    ['docs/decisions/README.md', '[a page](data.md)'],
    ['README.md', '![a picture](docs/nowhere.png)'],
  ])('finds a dead link in %s: %s', (path, text) => {
    expect(deadLinks({ path, text })).toHaveLength(1)
  })

  test.each([
    ['docs/data.md', '[a page](glossary.md), [a section](glossary.md#calls), [here](#owners)'],
    ['docs/decisions/README.md', '[a page](../data.md), [a folder](../operating/)'],
    ['README.md', '[a site](https://example.com/nowhere.md)'],
  ])('finds no dead link in %s: %s', (path, text) => {
    expect(deadLinks({ path, text })).toEqual([])
  })

  test.each([
    '`server/nowhere.ts`',
    '`api/nowhere.ts`',
    '`docs/nowhere/`',
    '`test/nowhere.ts --update`',
    '`server/nowhere/**/*.ts`',
  ])('finds a dead path in %s', (text) => expect(deadPaths({ path: 'README.md', text })).toHaveLength(1))

  test.each([
    '`server/main.ts`',
    '`media/port.ts`',
    '`docs/decisions/`',
    '`bin/bellhop.ts serve`',
    '`server/sip/**/*.test.ts`',
    '`nowhere/main.ts`',
    'server/nowhere.ts',
  ])('finds no dead path in %s', (text) => {
    expect(deadPaths({ path: 'README.md', text })).toEqual([])
  })
})

async function readPages(): Promise<Page[]> {
  const docs = await readdir(join(packageRoot, 'docs'), { recursive: true })
  const paths = [
    'README.md',
    'CONTRIBUTING.md',
    'CHANGELOG.md',
    ...docs.map((name) => posix.join('docs', name)),
  ]
  return Promise.all(
    paths
      .filter((path) => path.endsWith('.md'))
      .map(async (path) => ({ path, text: await readFile(join(packageRoot, path), 'utf8') })),
  )
}

function relativeLinks({ text }: Page): string[] {
  const targets = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target!)
  return targets
    .filter((target) => !/^([a-z]+:|#|\/)/.test(target))
    .map((target) => target.replace(/#.*$/, ''))
}

function deadLinks(page: Page): string[] {
  const dead = relativeLinks(page).filter((target) => !leadsSomewhere(posix.join(dirname(page.path), target)))
  return dead.map((target) => `${page.path} links to ${target}`)
}

/** The paths in backticks; those of the server may omit its folder. What follows a space belongs to a command. */
function namedPaths({ text }: Page): string[] {
  const named = text.matchAll(/`((?:server|web|bin|test|db|bench|deploy|docs)\/[^`\s]*)[^`]*`/g)
  const inServer = text.matchAll(/`((?:api|media|modules|platform|sip|speech|telephony)\/[^`\s]*)[^`]*`/g)
  return [...[...named].map(([, path]) => path!), ...[...inServer].map(([, path]) => `server/${path}`)]
}

function deadPaths(page: Page): string[] {
  const dead = namedPaths(page).filter((path) => !EXAMPLES.has(path) && !leadsSomewhere(path))
  return dead.map((path) => `${page.path} names ${path}`)
}

/** For a glob pattern, only the folder before the first wildcard is checked. */
function leadsSomewhere(path: string): boolean {
  return existsSync(join(packageRoot, path.replace(/[^/]*\*.*$/, '')))
}
