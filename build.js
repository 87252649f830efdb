// Builds the program and the dashboard into dist/, unless they were built of these very files: every start comes here.
import { execSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'

const COMMAND = [
  'vite build --config vite.server.config.ts',
  'vite build --config vite.server.config.ts --mode engines',
  'vite build --config web/vite.config.ts',
].join(' && ')
const PATH = [join(import.meta.dirname, 'node_modules/.bin'), process.env.PATH].join(delimiter)
const SOURCES = [
  'bin',
  'build',
  'server',
  'web',
  'package-lock.json',
  'tsconfig.json',
  'vite.server.config.ts',
  'build.js',
]
const MADE = ['dist/bin/bellhop.js', 'dist/web/index.html']
const STAMP = 'dist/.built-of'
/** Vite leaves what an earlier build put here. */
const NOT_EMPTIED = ['dist/bin', 'dist/chunks', 'dist/server']

process.chdir(import.meta.dirname)
const sources = hashOfSources()
if (!isBuiltOf(sources)) {
  rmSync(STAMP, { force: true })
  // Times of files are coarser than this clock.
  const began = Date.now() - 100
  build()
  removeOlderThan(began)
  writeFileSync(STAMP, sources)
}

function isBuiltOf(hash) {
  return [STAMP, ...MADE].every((file) => existsSync(file)) && readFileSync(STAMP, 'utf8') === hash
}

function build() {
  try {
    execSync(COMMAND, { stdio: 'inherit', env: { ...process.env, PATH } })
  } catch {
    // What is wrong was said by whoever found it.
    process.exit(1)
  }
}

function removeOlderThan(time) {
  for (const file of NOT_EMPTIED.filter((folder) => existsSync(folder)).flatMap(filesIn))
    if (statSync(file).mtimeMs < time) rmSync(file)
}

function hashOfSources() {
  const hash = createHash('sha256')
  for (const file of SOURCES.flatMap(filesIn)) hash.update(`\0${file}\0`).update(readFileSync(file))
  return hash.digest('hex')
}

function filesIn(path) {
  if (!statSync(path).isDirectory()) return [path]
  const files = readdirSync(path, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const paths = files.map((file) => join(file.parentPath ?? file.path, file.name))
  return paths.filter((file) => !file.endsWith('.test.ts')).toSorted()
}
