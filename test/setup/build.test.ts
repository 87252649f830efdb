import { chmod, copyFile, mkdir, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { beforeEach, expect, test } from 'vitest'

import { packageRoot } from '../../server/platform/package-root.ts'
import { newFolder, run } from '../harness/processes/bellhop-process.ts'

/** A project with a bundler that only records when it ran. */
let folder: string

beforeEach(async () => {
  folder = await newFolder()
  for (const name of ['bin', 'build', 'server/modules', 'web', 'tools'])
    await mkdir(join(folder, name), { recursive: true })
  for (const name of ['package-lock.json', 'tsconfig.json', 'vite.server.config.ts', 'server/modules/a.ts'])
    await write(name, name)
  await write('package.json', '{ "type": "module" }')
  await copyFile(join(packageRoot, 'build.js'), join(folder, 'build.js'))
  await addBundler()
})

const write = (name: string, text: string) => writeFile(join(folder, name), text)

async function addBundler(): Promise<void> {
  await write(
    'tools/vite',
    `#!/bin/sh
     printf '%s ' "$3" >>ran
     mkdir -p dist/bin dist/web
     case $3 in web/*) echo made >dist/web/index.html ;; *) echo made >dist/bin/bellhop.js ;; esac`,
  )
  await chmod(join(folder, 'tools/vite'), 0o755)
}

const EVERYTHING = 'vite.server.config.ts vite.server.config.ts web/vite.config.ts'

/** What a build bundled. */
async function build(code = 0): Promise<string> {
  await write('ran', '')
  const env = { PATH: `${join(folder, 'tools')}:${process.env.PATH}` }
  const ended = await run(process.execPath, ['build.js'], { cwd: folder, env })
  expect(ended).toMatchObject({ code, stdout: '' })
  return (await readFile(join(folder, 'ran'), 'utf8')).trim()
}

test('a build of unchanged sources does nothing', async () => {
  expect(await build()).toBe(EVERYTHING)
  expect(await build()).toBe('')
  await write('server/modules/a.test.ts', 'a test is no part of the program')
  expect(await build()).toBe('')
})

test.each([
  'server/modules/a.ts',
  'server/modules/new.ts',
  'web/new.css',
  'package-lock.json',
  'tsconfig.json',
])('a change of %s is built, once', async (name) => {
  await build()
  await write(name, 'changed')
  expect(await build()).toBe(EVERYTHING)
  expect(await build()).toBe('')
})

test('a deleted source is a change', async () => {
  await build()
  await rm(join(folder, 'server/modules/a.ts'))
  expect(await build()).toBe(EVERYTHING)
})

test('a deleted output is built again', async () => {
  await build()
  await rm(join(folder, 'dist/web'), { recursive: true })
  expect(await build()).toBe(EVERYTHING)
})

test('what an earlier build left is removed', async () => {
  await build()
  await mkdir(join(folder, 'dist/chunks'))
  await write('dist/chunks/gone.js', 'an old chunk')
  await utimes(join(folder, 'dist/chunks/gone.js'), 0, 0)
  await write('server/modules/a.ts', 'changed')
  await build()
  expect(await readdir(join(folder, 'dist'), { recursive: true })).toEqual(
    expect.arrayContaining([join('bin', 'bellhop.js')]),
  )
  expect(await readdir(join(folder, 'dist/chunks'))).toEqual([])
})

test('a failed build is retried, even if the sources are restored', async () => {
  await build()
  await write('server/modules/a.ts', 'broken')
  await write('tools/vite', '#!/bin/sh\nexit 1\n')
  expect(await build(1)).toBe('')
  await write('server/modules/a.ts', 'server/modules/a.ts')
  await addBundler()
  expect(await build()).toBe(EVERYTHING)
})
