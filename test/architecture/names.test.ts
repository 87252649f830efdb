import { readdir, readFile } from 'node:fs/promises'
import { join, posix } from 'node:path'

import { describe, expect, test } from 'vitest'

import { packageRoot } from '../../server/platform/package-root.ts'

interface Source {
  /** From the root of the project. */
  path: string
  text: string
}

/** Metaphors that files were once named after, and names that fit any file. docs/glossary.md has the terms to use. */
const BANNED_NAMES = new Set(
  `
    ask bar bell chance desk door ear exchange farewell gatekeeper handset here holders keep-up keeping kept lane leave letter letters
    life line lost mailbox marked members mouthpiece naming office operate orders outsider pace paces parcel parts party passer-by
    place promises rescue rounds sealing signs-of-life sound-length stage standing store stranger stretches talk telephone-office turn turns
    typed under-way visitor ways wire world
  `
    .trim()
    .split(/\s+/),
)

/** Words that the glossary replaces, as parts of exported names. */
const BANNED_WORDS = new Set(
  'bury burial exchange letter letters outsider pace paces parcel stranger strangers visitor'.split(' '),
)

describe('the names', () => {
  test('of files and folders are terms of the field', async () => {
    const paths = await listFiles(['bench', 'bin', 'server', 'test', 'web'])
    expect(paths.length).toBeGreaterThan(500)
    expect(paths.flatMap(bannedName)).toEqual([])
  })

  test('that the server exports are declared once, and are terms of the glossary', async () => {
    const paths = (await listFiles(['server'])).filter((path) => !/\.test\.ts$|\/fixtures\//.test(path))
    const sources = await Promise.all(
      paths.map(async (path) => ({ path, text: await readFile(join(packageRoot, path), 'utf8') })),
    )
    expect(sources.flatMap(exportedNames).length).toBeGreaterThan(1_000)
    expect(declaredTwice(sources)).toEqual([])
    expect(sources.flatMap(bannedExports)).toEqual([])
  })
})

describe('the check itself', () => {
  test.each([
    'server/telephony/desk.ts',
    'server/modules/letters/queries.ts',
    'server/modules/webhooks/parcel.test.ts',
    'web/shell/lost.tsx',
    'test/chaos/promises/index.ts',
  ])('%s is named after a metaphor', (path) => {
    expect(bannedName(path)).toEqual([expect.stringContaining(path)])
  })

  test.each(['server/platform/lines.ts', 'server/modules/calls/speaker-turns.ts', 'test/one-line.test.ts'])(
    '%s is not',
    (path) => expect(bannedName(path)).toEqual([]),
  )

  test.each([
    'export interface Letter {',
    'export const tooManyLetters = 1',
    'export function buryEdge() {}',
  ])('finds a banned word in: %s', (text) =>
    expect(bannedExports({ path: 'server/a.ts', text })).toHaveLength(1),
  )

  test.each(['export const spaces = 1', 'const letter = 1', 'export const pacedOut = 1'])(
    'finds no banned word in: %s',
    (text) => expect(bannedExports({ path: 'server/a.ts', text })).toEqual([]),
  )

  test.each([
    'export interface Line {',
    'export type Line = string',
    'export type Line<T> = T[]',
    'export const Line = 1',
    'export const Line: number = 1',
    'export function Line() {}',
    'export async function Line() {}',
    'export async function* Line() {}',
    'export class Line {}',
    'export abstract class Line {}',
    'export const { Other, Line } = make()',
    "export { other as Line } from './other.ts'",
    "export {\n  Other,\n  type other as Line,\n} from './other.ts'",
  ])('finds a second export beside: %s', (text) => {
    const first = { path: 'server/a.ts', text: 'export class Line {}' }
    expect(declaredTwice([first, { path: 'server/b.ts', text }])).toEqual([
      'Line in server/a.ts and server/b.ts',
    ])
  })

  test.each([
    'interface Line {',
    '// export class Line {}',
    'export class LineEnd {}',
    "export { Line } from './a.ts'",
    "export { type Line } from './a.ts'",
    "export { Line as Wire } from './a.ts'",
  ])('finds no second export in: %s', (text) => {
    const first = {
      path: 'server/a.ts',
      text: 'export const Line = z.object()\nexport type Line = z.infer<Line>',
    }
    expect(declaredTwice([first, { path: 'server/b.ts', text }])).toEqual([])
  })
})

async function listFiles(folders: string[]): Promise<string[]> {
  const found = await Promise.all(
    folders.map(async (folder) => {
      const names = await readdir(join(packageRoot, folder), { recursive: true })
      return names.map((name) => posix.join(folder, name))
    }),
  )
  return found.flat().filter((path) => /\.tsx?$/.test(path))
}

function bannedName(path: string): string[] {
  const names = path.split('/').map((name) => name.replace(/(\.test)?\.tsx?$/, ''))
  return names.filter((name) => BANNED_NAMES.has(name)).map((name) => `${path} is named ${name}`)
}

function bannedExports(source: Source): string[] {
  const names = exportedNames(source).filter((name) =>
    name.split(/(?=[A-Z])|_/).some((word) => BANNED_WORDS.has(word.toLowerCase())),
  )
  return names.map((name) => `${source.path} exports ${name}`)
}

function declaredTwice(sources: Source[]): string[] {
  const places = new Map<string, string[]>()
  for (const source of sources)
    for (const name of exportedNames(source)) places.set(name, [...(places.get(name) ?? []), source.path])
  return [...places].flatMap(([name, paths]) =>
    paths.length > 1 ? [`${name} in ${paths.join(' and ')}`] : [],
  )
}

/** The names that a file declares and exports, each once; a re-exported name belongs to another file. */
function exportedNames({ text }: Source): string[] {
  const declared = text.matchAll(
    /^export (?:declare )?(?:abstract )?(?:async )?(?:function\*?|const|let|class|interface|type|enum) (\w+)/gm,
  )
  const unpacked = text.matchAll(/^export const \{([^}]*)\} =/gm)
  const aliased = text.matchAll(/^export (?:type )?\{([^}]*)\}/gm)
  return [
    ...new Set([
      ...[...declared].map(([, name]) => name!),
      ...[...unpacked].flatMap(([, names]) => names!.match(/\w+(?=\s*(,|$))/g) ?? []),
      ...[...aliased].flatMap(([, names]) => [...names!.matchAll(/ as (\w+)/g)].map(([, name]) => name!)),
    ]),
  ]
}
