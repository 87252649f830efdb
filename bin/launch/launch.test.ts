import { cp, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { beforeEach, expect, test } from 'vitest'

import { packageRoot } from '../../server/platform/package-root.ts'
import { type Environment, newFolder, run } from '../../test/harness/processes/bellhop-process.ts'
import { SERVICE_FLAGS } from '../service/service-flags.ts'

/** A folder as the build makes it, with a program of two files. */
let folder: string

beforeEach(async () => {
  folder = await newFolder()
  await write('package.json', '{ "type": "module" }')
  await cp(import.meta.dirname, join(folder, 'launch'), { recursive: true })
  await write('program.js', `import { launch } from './launch/launch.js'; await launch('program.cjs')`)
  await write('program.cjs', `exports.default = () => console.log(require('./word.cjs').say())`)
  await write('word.cjs', `exports.say = () => 'first'; exports.say()`)
})

const write = (name: string, text: string) => writeFile(join(folder, name), text)

const node = (args: string[], env: Environment = {}) => run(process.execPath, args, { cwd: folder, env })
const compile = () => node(['launch/compile.js', 'word.cjs', 'program.cjs'])
const start = (env?: Environment) => node(['program.js'], env)
const saying = (word: string) => ({ code: 0, stdout: `${word}\n`, stderr: '' })

/** The file of the code that was compiled of word.cjs. */
async function codeOfWord(): Promise<string> {
  const compiled = join(folder, 'compiled')
  const [tag] = await readdir(compiled)
  return join(compiled, tag!, 'word.cjs')
}

test('a program runs with and without compiled code', async () => {
  expect(await start()).toEqual(saying('first'))
  expect(await compile()).toEqual({ code: 0, stdout: '', stderr: '' })
  expect(await start()).toEqual(saying('first'))
})

test('code that was compiled of another source is not used, even if that was as long', async () => {
  await compile()
  await write('word.cjs', `exports.say = () => 'later'; exports.say()`)
  expect(await start()).toEqual(saying('later'))
})

test('damaged code is not used', async () => {
  await compile()
  const file = await codeOfWord()
  const code = await readFile(file)
  for (let at = 20; at < code.length; at += 97) {
    await writeFile(file, code.with(at, code[at]! ^ 0x55))
    expect(await start()).toEqual(saying('first'))
  }
  await writeFile(file, '')
  expect(await start()).toEqual(saying('first'))
})

test('stack traces have the lines of the sources if they are asked for', async () => {
  const map = {
    version: 3,
    sources: ['word.ts'],
    names: [],
    // The first line of word.cjs is line 5 of word.ts.
    mappings: 'AAIA',
  }
  const url = `data:application/json;base64,${btoa(JSON.stringify(map))}`
  await write('word.cjs', `exports.say = () => { throw new Error('no word') }\n//# sourceMappingURL=${url}\n`)
  await compile()
  expect((await start()).stderr).toMatch(/word\.cjs:1:\d+/)
  expect((await start({ NODE_OPTIONS: '--enable-source-maps' })).stderr).toContain('word.ts:5:1')
})

test.each([
  ['a command', []],
  ['a service', SERVICE_FLAGS],
])('all code of the built program is compiled for the V8 flags of %s', async (_, flags) => {
  const dist = join(packageRoot, 'dist')
  const [tag] = await readdir(join(dist, 'compiled'))
  const files = (await readdir(join(dist, 'compiled', tag!), { recursive: true })).filter((name) =>
    name.endsWith('.cjs'),
  )
  expect(files).toContain('bin/bellhop.cjs')
  expect(files).toContain('server/media/thread/program.cjs')
  await write(
    'load.js',
    `import { createLoader } from '${dist}/launch/loader.js'
     const used = {}
     const onScript = (file, _, { cachedDataRejected }) => (used[file.slice(${dist.length + 1})] = cachedDataRejected === false)
     const load = createLoader({ onScript })
     for (const file of ${JSON.stringify(files)}) load('${dist}/' + file)
     console.log(JSON.stringify(used))`,
  )
  const { stdout } = await node([...flags, 'load.js'])
  expect(JSON.parse(stdout)).toEqual(Object.fromEntries(files.map((file) => [file, true])))
})

test('nothing that is bundled imports while it runs, except to read files that we do not have', async () => {
  const dist = join(packageRoot, 'dist')
  const files = (await readdir(dist, { recursive: true })).filter((name) => name.endsWith('.cjs'))
  const imports: string[] = []
  for (const file of files) {
    const code = await readFile(join(dist, file), 'utf8')
    imports.push(...(code.match(/(?<![\w.*])import\([^)]*/g) ?? []))
  }
  // Of graphile-worker, for tasks and configuration in files.
  expect(imports).toEqual(
    ['import(href', 'import(href', 'import((0, url_1.pathToFileURL', 'import(filename'].map((start) =>
      expect.stringContaining(start),
    ),
  )
})
