import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { Html } from '../server/platform/http/html.ts'
import { packageRoot } from '../server/platform/package-root.ts'
import { type Language, LANGUAGES } from '../web/i18n/language.tsx'
import { loadDictionary } from '../web/languages/index.ts'

type Translated = Exclude<Language, 'en'>

/** Whatever a text table may contain: strings, functions that insert values, lists and groups of both. */
type Said = string | Html | ((...values: unknown[]) => unknown) | Said[] | { [key: string]: Said }
type Table = { en: Said; da: Said }

const isTable = (value: unknown): value is Table =>
  typeof value === 'object' && value !== null && Object.keys(value).join() === 'en,da'

/** English, in the files that show it; other languages have it under the name of the room. */
type Room = { room: string; en: Said }

const isRoom = (value: unknown): value is Room =>
  typeof value === 'object' && value !== null && Object.keys(value).join() === 'room,en'

/** What the files export that may contain texts. */
async function exportsOf(folder: string): Promise<[string, unknown][]> {
  const files = await filesBelow(folder)
  const named = files.filter((path) => /(\/(i18n|texts)\/[\w-]+|texts)\.ts$/.test(path))
  const exported = await Promise.all(
    named.map(async (path) => {
      const values = Object.entries((await import(join(packageRoot, path))) as object)
      return values.map(([name, value]): [string, unknown] => [`${path} ${name}`, value])
    }),
  )
  return exported.flat()
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

const tables = (await exportsOf('server')).filter((each): each is [string, Table] => isTable(each[1]))
const rooms = (await exportsOf('web')).filter((each): each is [string, Room] => isRoom(each[1]))
const languages = Object.keys(LANGUAGES).filter((language): language is Translated => language !== 'en')

test('all texts are found', () => {
  expect(tables.length).toBeGreaterThan(8)
  expect(rooms.length).toBeGreaterThan(18)
})

test.each(tables)('%s: Danish has every text of English, with the same values in it', (_, { en, da }) => {
  expect(shapeOf(da).toSorted()).toEqual(shapeOf(en).toSorted())
})

test.each(languages)('the dashboard has every text in %s, with the same values in it', async (language) => {
  const dictionary = (await loadDictionary(language)) as unknown as Record<string, Said>
  const english = Object.fromEntries(rooms.map(([, { room, en }]) => [room, en]))
  expect(shapeOf(dictionary).toSorted()).toEqual(shapeOf(english).toSorted())
})

test.each(languages)('no text of the dashboard was left in English in %s', async (language) => {
  const dictionary = (await loadDictionary(language)) as unknown as Record<string, Said>
  const same = rooms.flatMap(([, { room, en }]) => sentencesAlike(en, dictionary[room]!))
  expect(same).toEqual([])
})

/** Texts of three words or more that are the same in both. Shorter ones may be. */
function sentencesAlike(one: Said, other: Said): string[] {
  if (typeof one === 'object' && !(one instanceof Html))
    return Object.entries(one).flatMap(([key, part]) =>
      sentencesAlike(part, (other as Record<string, Said>)[key]!),
    )
  const [said, translated] = [one, other].map((text) =>
    textOf(typeof text === 'function' ? text(...VALUES) : text),
  )
  return said === translated && /\p{L}{2,}\s+\p{L}{2,}\s+\p{L}{2,}/u.test(said!) ? [said!] : []
}
