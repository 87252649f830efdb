import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { Html } from '../server/platform/http/html.ts'
import { packageRoot } from '../server/platform/package-root.ts'

/** Whatever a text table may contain: strings, functions that insert values, lists and groups of both. */
type Said = string | Html | ((...values: unknown[]) => unknown) | Said[] | { [key: string]: Said }
type Table = { en: Said; da: Said }

const isTable = (value: unknown): value is Table =>
  typeof value === 'object' && value !== null && Object.keys(value).join() === 'en,da'

/** Every text table that a file exports, of the dashboard and of the server's pages. */
async function findTables(): Promise<[string, Table][]> {
  const files = (await Promise.all(['web', 'server'].map(filesBelow))).flat()
  const named = files.filter((path) => /(\/(i18n|texts)\/[\w-]+|\/(page-)?texts)\.ts$/.test(path))
  const tables = await Promise.all(
    named.map(async (path) => {
      const exported = Object.entries((await import(join(packageRoot, path))) as object)
      return exported.flatMap(([name, value]): [string, Table][] =>
        isTable(value) ? [[`${path} ${name}`, value]] : [],
      )
    }),
  )
  return tables.flat()
}

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(join(packageRoot, folder), { recursive: true })
  return entries.map((entry) => `${folder}/${entry}`)
}

/** Distinct, and not 1, for which a sentence may omit the number. */
const VALUES = [7001, 7002, 7003]

/** `title`, `unseen with 7001`: everything that must not differ between two languages. */
function shapeOf(said: Said, path = ''): string[] {
  if (typeof said === 'function') {
    const text = textOf(said(...VALUES))
    expect([path, textOf(said(1, 1, 1)).trim()]).not.toEqual([path, ''])
    return [`${path} with ${VALUES.filter((value) => text.includes(String(value))).join(' ')}`]
  }
  if (typeof said === 'object' && !(said instanceof Html))
    return Object.entries(said).flatMap(([key, part]) => shapeOf(part, `${path}.${key}`))
  expect([path, textOf(said).trim()]).not.toEqual([path, ''])
  return [path]
}

const textOf = (said: unknown) => (said instanceof Html ? said.text : String(said))

const tables = await findTables()

test('all tables are found', () => {
  expect(tables.length).toBeGreaterThan(18)
})

test.each(tables)('%s: Danish has every text of English, with the same values in it', (_, { en, da }) => {
  expect(shapeOf(da).toSorted()).toEqual(shapeOf(en).toSorted())
})
