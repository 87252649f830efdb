/**
 * Makes a release: `npm run release -- 0.2.0`, with `--dry-run` to see what would be done. In a clean tree, it moves
 * the unreleased part of CHANGELOG.md under the version, packs the npm package, writes its bill of materials and the
 * checksums of both, commits and tags. It pushes and publishes nothing.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

import { releasedChangelog, unreleasedNotes } from './changelog.js'
import { billOfMaterials, packagesIn } from './sbom.js'

const root = join(import.meta.dirname, '../..')
const out = join(root, 'release')
/** Where a version stands in other files. */
const VERSIONS = new Map([
  ['deploy/helm/bellhop/Chart.yaml', /(?<=^(?:version|appVersion): )\S+$/gm],
  ['docs/operating/debian.md', /(?<=bellhop(?:-speech)?_)\d[^_]*(?=_)/g],
  ['docs/operating/npm.md', /(?<=bellhop-)\d+\.\d+\.\d+[-\w.]*(?=\.tgz)/g],
])
const FILES = ['CHANGELOG.md', 'package.json', 'package-lock.json', 'docs/openapi.json', ...VERSIONS.keys()]

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    'dry-run': { type: 'boolean', default: false },
    /** Packs `dist` as it is, for tests. */
    built: { type: 'boolean', default: false },
  },
})
const [version = ''] = positionals
const tag = `v${version}`
const [date] = new Date().toISOString().split('T')

const read = (name) => readFileSync(join(root, name), 'utf8')
const json = (name) => JSON.parse(read(name))
const run = (program, args) =>
  execFileSync(program, args, { cwd: root, encoding: 'utf8', maxBuffer: 1 << 28 })
const git = (...args) => run('git', args).trim()
const npmSbom = (...more) =>
  JSON.parse(run('npm', ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only', ...more]))

try {
  const why = refusal()
  if (why) throw new Error(why)
  if (values['dry-run']) describe()
  else release()
} catch (error) {
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}

function refusal() {
  const current = json('package.json').version
  if (!/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))
    return 'npm run release -- VERSION [--dry-run], such as 0.2.0'
  if (!isNewer(version, current)) return `${version} is not newer than ${current}.`
  if (git('status', '--porcelain') !== '') return 'The tree has changes that are not committed.'
  if (git('tag', '--list', tag) !== '') return `The tag ${tag} exists already.`
  if (unreleasedNotes(read('CHANGELOG.md')) === '') return 'CHANGELOG.md has nothing under "Unreleased".'
  return undefined
}

/** A version with a suffix comes before the same without one. */
function isNewer(one, other) {
  const [parts, others] = [one, other].map((text) => text.split('-')[0].split('.').map(Number))
  const i = parts.findIndex((part, index) => part !== others[index])
  return i === -1 ? other.includes('-') && (!one.includes('-') || one > other) : parts[i] > others[i]
}

function describe() {
  process.stdout.write(`Would release ${version} (${date}) of ${git('rev-parse', '--short', 'HEAD')}:

  CHANGELOG.md                      move the unreleased notes under the version
  package.json, package-lock.json   set the version
  documentation, Helm chart         set the version
  release/bellhop-${version}.tgz          pack, after a build
  release/bellhop-${version}.cdx.json     write the bill of materials
  release/SHA256SUMS                write the checksums of both
  git                               commit, and tag as ${tag}

Notes:

${unreleasedNotes(read('CHANGELOG.md'))}
`)
}

function release() {
  const notes = unreleasedNotes(read('CHANGELOG.md'))
  rmSync(out, { recursive: true, force: true })
  mkdirSync(out)
  try {
    writeFileSync(join(root, 'CHANGELOG.md'), releasedChangelog(read('CHANGELOG.md'), version, date))
    setVersion('package.json', (content) => (content.version = version))
    setVersion('package-lock.json', (content) => {
      content.version = version
      content.packages[''].version = version
    })
    setVersion('docs/openapi.json', (content) => (content.info.version = version))
    for (const [name, pattern] of VERSIONS)
      writeFileSync(join(root, name), read(name).replaceAll(pattern, version))
    makeFiles()
  } catch (error) {
    // Nothing is committed yet, so the tree becomes what it was.
    git('checkout', '--', ...FILES)
    throw error
  }
  git('commit', '-qm', `Release ${version}`, '--', ...FILES)
  // Headings begin with the character of comments.
  git('tag', '--annotate', tag, '--cleanup=whitespace', '--message', `Bellhop ${version}\n\n${notes}`)
  process.stdout.write(`Released ${version} in release/. To publish it:

  git push origin HEAD ${tag}
  npm publish release/bellhop-${version}.tgz
`)
}

function setVersion(name, change) {
  const content = json(name)
  change(content)
  writeFileSync(join(root, name), `${JSON.stringify(content, null, 2)}\n`)
}

function makeFiles() {
  run('npm', ['pack', '--silent', '--pack-destination', out, ...(values.built ? ['--ignore-scripts'] : [])])
  const bom = billOfMaterials({
    all: npmSbom(),
    installed: npmSbom('--omit', 'dev'),
    bundled: ['dist/licences/program.txt', 'dist/web/licences.txt'].flatMap((name) => packagesIn(read(name))),
    engines: Object.entries(json('dist/engine-packages.json')).map(([name, one]) => `${name}@${one.version}`),
    version,
  })
  const names = [`bellhop-${version}.tgz`, `bellhop-${version}.cdx.json`]
  writeFileSync(join(out, names[1]), `${JSON.stringify(bom, null, 2)}\n`)
  const sums = names.map((name) => `${sha256(readFileSync(join(out, name)))}  ${name}\n`)
  writeFileSync(join(out, 'SHA256SUMS'), sums.join(''))
}

function sha256(bytes) {
  return createHash('sha256').update(bytes).digest('hex')
}
