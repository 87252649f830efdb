import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

import { describe, expect, test } from 'vitest'

import { Html } from '../server/platform/http/html.ts'
import { PAGE_LANGUAGES } from '../server/platform/http/viewer-preferences.ts'
import { packageRoot } from '../server/platform/package-root.ts'
import { type Language, LANGUAGES } from '../web/i18n/language.tsx'
import { loadDictionary } from '../web/languages/index.ts'

type Translated = Exclude<Language, 'en'>

/** Whatever a text table may contain: strings, functions that insert values, lists and groups of both. */
type Said = string | Html | ((...values: unknown[]) => unknown) | Said[] | { [key: string]: Said }
/** The texts of pages or e-mails of the server, by language. */
type Table = { en: Said; [language: string]: Said }

const isTable = (value: unknown): value is Table =>
  typeof value === 'object' &&
  value !== null &&
  'en' in value &&
  typeof value.en === 'object' &&
  !isRoom(value)

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

/** For functions that take their values by name: each is `«name»`. */
const NAMED_VALUES = new Proxy({}, { get: (_, name) => (typeof name === 'string' ? `«${name}»` : undefined) })

/** `title`, `unseen with 7001`: everything that must not differ between two languages. */
function shapeOf(said: Said, path = ''): string[] {
  if (typeof said === 'function') {
    expect([path, textOf(said(1, 1, 1)).trim()]).not.toEqual([path, ''])
    return [`${path} with ${insertedBy(said).join(' ')}${tagsOf(said(...VALUES))}`]
  }
  if (typeof said === 'object' && !(said instanceof Html))
    return Object.entries(said).flatMap(([key, part]) => shapeOf(part, `${path}.${key}`))
  expect([path, textOf(said).trim()]).not.toEqual([path, ''])
  return [`${path}${tagsOf(said)}`]
}

function insertedBy(said: (...values: unknown[]) => unknown): string[] {
  const text = textOf(said(...VALUES))
  const named = text.includes('undefined') ? textOf(said(NAMED_VALUES)).match(/«\w+»/g) : null
  return [...VALUES.map(String).filter((value) => text.includes(value)), ...new Set(named?.toSorted())]
}

/** The elements of a text, such as links with their addresses. */
const tagsOf = (said: unknown) => (said instanceof Html ? ` ${said.text.match(/<[^>]+>/g)?.join('')}` : '')

const textOf = (said: unknown) => (said instanceof Html ? said.text : String(said))

const tables = (await exportsOf('server')).filter((each): each is [string, Table] => isTable(each[1]))
const rooms = (await exportsOf('web')).filter((each): each is [string, Room] => isRoom(each[1]))
const languages = Object.keys(LANGUAGES).filter((language): language is Translated => language !== 'en')
const pageLanguages = Object.keys(PAGE_LANGUAGES).filter((language) => language !== 'en')

test('all texts are found', () => {
  expect(tables.length).toBeGreaterThan(8)
  expect(rooms.length).toBeGreaterThan(18)
})

describe.each(tables)('%s', (_, table) => {
  test('is in every language of the pages', () => {
    expect(Object.keys(table)).toEqual(Object.keys(PAGE_LANGUAGES))
  })

  test.each(pageLanguages)('has every text in %s, with the same values in it', (language) => {
    expect(shapeOf(table[language]!).toSorted()).toEqual(shapeOf(table.en).toSorted())
  })

  test.each(pageLanguages)('has no text that was left in English in %s', (language) => {
    expect(sentencesAlike(table.en, table[language]!)).toEqual([])
  })
})

test('the pages have the languages of the dashboard', () => {
  expect(PAGE_LANGUAGES).toEqual(LANGUAGES)
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
