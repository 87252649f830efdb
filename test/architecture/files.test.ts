import { readdir } from 'node:fs/promises'
import { join, posix } from 'node:path'

import { beforeAll, describe, expect, test } from 'vitest'

import { packageRoot } from '../../server/platform/package-root.ts'
import { readSources, type Source } from './sources.ts'

/** More files in a folder than a reader can survey; tests are not counted. */
const FOLDER_FILES_MAX = 12

/** Folders that may have more, and why. */
const FULL_FOLDERS: Record<string, string> = {
  'bin/commands': 'a file for each noun of the command line',
  'server/wiring/doctor/checks': 'a file for each check',
  'web/api': 'a file for each module of the API',
  'web/i18n': 'a file for each page',
}

/** Node runs these as they are. */
const JAVASCRIPT = [
  ...['compile', 'compiled-code', 'launch', 'loader'].map((name) => `bin/launch/${name}.js`),
  'server/platform/embedded-postgres/fixtures/holder.mjs',
  'server/platform/text/short-numbers/update.js',
]

const EMPTY_NAMES = /(^|\/)(utils?|helpers?|common|misc)(\.[^/]*)?(\/|$)/

describe('the code', () => {
  let sources: Source[]
  beforeAll(async () => {
    sources = await readSources(['bin', 'server', 'web'])
  })

  test('has no folder with too many files', () => {
    const crowded = crowdedFolders(sources.map(({ path }) => path))
    expect(crowded.filter((folder) => !FULL_FOLDERS[folder])).toEqual([])
    expect(Object.keys(FULL_FOLDERS).filter((folder) => !crowded.includes(folder))).toEqual([])
  })

  test('has no compiled file beside its source', async () => {
    const written: string[] = []
    for (const folder of ['bin', 'server', 'web'])
      for (const name of await readdir(join(packageRoot, folder), { recursive: true }))
        if (/\.(m?js|map)$/.test(name)) written.push(posix.join(folder, name))
    expect(written.toSorted()).toEqual(JAVASCRIPT)
  })

  test('has no file with a meaningless name', () => {
    expect(sources.map(({ path }) => path).filter((path) => EMPTY_NAMES.test(path))).toEqual([])
  })
})

describe('the check itself', () => {
  test('finds a folder with too many files, and accepts the maximum', () => {
    const files = Array.from({ length: FOLDER_FILES_MAX }, (_, i) => `server/a/${i}.ts`)
    expect(crowdedFolders([...files, 'server/a/b/c.ts'])).toEqual([])
    expect(crowdedFolders([...files, 'server/a/more.ts'])).toEqual(['server/a'])
  })

  test.each(['server/utils.ts', 'server/api/helpers/x.ts', 'web/common.test.tsx', 'server/misc/a.ts'])(
    '%s has a meaningless name',
    (path) => expect(path).toMatch(EMPTY_NAMES),
  )
})

function crowdedFolders(paths: string[]): string[] {
  const files = new Map<string, number>()
  for (const folder of paths.map((path) => posix.dirname(path)))
    files.set(folder, (files.get(folder) ?? 0) + 1)
  return [...files].flatMap(([folder, count]) => (count > FOLDER_FILES_MAX ? [folder] : []))
}
