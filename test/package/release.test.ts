import { cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import { beforeAll, describe, expect, test } from 'vitest'

import { packageRoot } from '../../server/platform/package-root.ts'
import { newFolder, run } from '../harness/processes/bellhop-process.ts'

const CHANGELOG = `# Changelog

## Unreleased

### Operators

- A line of this release.

## 0.1.0 (2026-01-01)

- The first one.
`

/** What a release is made of, without most of the package: to compress that takes long. */
const NEEDED = [
  '.gitignore',
  'build/release',
  'deploy/helm/bellhop/Chart.yaml',
  'dist/engine-packages.json',
  'dist/licences',
  'dist/web/licences.txt',
  'docs/openapi.json',
  'docs/operating/debian.md',
  'docs/operating/npm.md',
  'package-lock.json',
  'package.json',
]

let folder: string
let env: Record<string, string>
const inFolder = (path: string) => readFile(join(folder, path), 'utf8')
const call = async (program: string, ...args: string[]) => {
  const ended = await run(program, args, { cwd: folder, env })
  return { ...ended, stdout: ended.stdout.trim() }
}
const git = async (...args: string[]) => (await call('git', ...args)).stdout
/** Without a build, which others test. */
const release = (...args: string[]) => call(process.execPath, 'build/release/run.js', '--built', ...args)

/** A repository with what the package needs. */
beforeAll(async () => {
  folder = join(await newFolder(), 'bellhop')
  const who = { NAME: 'Test', EMAIL: 'test@example.com' }
  env = Object.fromEntries([
    ['HOME', dirname(folder)],
    ...Object.entries(who).flatMap(([name, value]) => [
      [`GIT_AUTHOR_${name}`, value],
      [`GIT_COMMITTER_${name}`, value],
    ]),
  ])
  await mkdir(folder)
  for (const path of NEEDED) await cp(join(packageRoot, path), join(folder, path), { recursive: true })
  for (const name of ['package.json', 'package-lock.json', 'docs/openapi.json']) {
    const content = JSON.parse(await inFolder(name))
    if (content.info) content.info.version = '0.1.0'
    else content.version = '0.1.0'
    if (content.packages) content.packages[''].version = '0.1.0'
    await writeFile(join(folder, name), `${JSON.stringify(content, null, 2)}\n`)
  }
  await writeFile(join(folder, 'CHANGELOG.md'), CHANGELOG)
  await git('init', '--quiet')
  await git('add', '--all')
  await git('commit', '--quiet', '--message', 'Begin')
})

describe('a release', () => {
  test('is refused for a version that is not newer, and a tree with changes', async () => {
    for (const version of ['0.1.0', '0.0.9', 'next', '0.1.0-rc.1'])
      expect(await release(version), version).toMatchObject({ code: 1, stdout: '' })
    await writeFile(join(folder, 'CHANGELOG.md'), `${CHANGELOG}- More.\n`)
    const { code, stderr } = await release('9.8.0')
    expect({ code, stderr }).toEqual({ code: 1, stderr: 'The tree has changes that are not committed.\n' })
    await git('checkout', '--quiet', '--', '.')
    expect(await git('tag')).toBe('')
  })

  test('is described by a dry run, which changes nothing', async () => {
    const { code, stdout } = await release('--dry-run', '9.8.0')
    expect(code).toBe(0)
    expect(stdout).toContain('- A line of this release.')
    expect(stdout).toContain('bellhop-9.8.0.tgz')
    expect(stdout).not.toContain('The first one.')
    expect(await git('status', '--porcelain', '--ignored', 'release')).toBe('')
    expect(await git('log', '--format=%s')).toBe('Begin')
  })

  test('has a commit, a tag, notes, a package, a bill of materials and checksums', async () => {
    const made = await release('9.8.0')
    expect(made, made.stderr).toMatchObject({ code: 0 })
    expect(await git('status', '--porcelain')).toBe('')
    expect(await git('log', '-1', '--format=%s')).toBe('Release 9.8.0')
    expect(await git('rev-parse', 'v9.8.0^{commit}')).toBe(await git('rev-parse', 'HEAD'))
    expect(await git('tag', '--list', '--format=%(contents)', 'v9.8.0')).toBe(
      'Bellhop 9.8.0\n\n### Operators\n\n- A line of this release.',
    )
    const today = new Date().toISOString().slice(0, 10)
    expect(await inFolder('CHANGELOG.md')).toBe(
      CHANGELOG.replace('## Unreleased\n', `## Unreleased\n\n## 9.8.0 (${today})\n`),
    )
    expect(JSON.parse(await inFolder('package.json'))).toMatchObject({ version: '9.8.0' })
    expect(JSON.parse(await inFolder('package-lock.json'))).toMatchObject({
      version: '9.8.0',
      packages: { '': { version: '9.8.0' } },
    })
    expect(JSON.parse(await inFolder('docs/openapi.json')).info.version).toBe('9.8.0')
    expect(await inFolder('docs/operating/npm.md')).toContain('./bellhop-9.8.0.tgz')
    expect(await inFolder('docs/operating/debian.md')).toContain(
      'apt install ./bellhop_9.8.0_amd64.deb ./bellhop-speech_9.8.0_amd64.deb',
    )
    expect(await inFolder('deploy/helm/bellhop/Chart.yaml')).toContain(
      '\nversion: 9.8.0\nappVersion: 9.8.0\n',
    )
    expect(await git('diff', '--stat', 'HEAD~1', '--', 'docs/openapi.json')).toContain(
      ' 1 insertion(+), 1 deletion(-)',
    )
    expect(await git('diff', '--stat', 'HEAD~1', '--', 'package-lock.json')).toContain(
      '2 insertions(+), 2 deletions(-)',
    )

    expect(await call('sh', '-c', 'cd release && sha256sum --check --strict SHA256SUMS')).toMatchObject({
      code: 0,
      stdout: 'bellhop-9.8.0.tgz: OK\nbellhop-9.8.0.cdx.json: OK',
    })
    const packed = await call('tar', '-xzOf', 'release/bellhop-9.8.0.tgz', 'package/package.json')
    expect(JSON.parse(packed.stdout)).toMatchObject({ name: 'bellhop', version: '9.8.0' })
  })

  test('has a bill of materials of everything that is installed, bundled or added later', async () => {
    const bom = JSON.parse(await inFolder('release/bellhop-9.8.0.cdx.json'))
    expect(bom).toMatchObject({
      bomFormat: 'CycloneDX',
      specVersion: expect.stringMatching(/^1\.\d$/),
      serialNumber: expect.stringMatching(/^urn:uuid:[0-9a-f-]{36}$/),
      version: 1,
      metadata: { component: { type: 'application', name: 'bellhop', purl: 'pkg:npm/bellhop@9.8.0' } },
    })
    const found = (name: string) => bom.components.filter((each: { name: string }) => each.name === name)
    for (const [name, packaging] of [
      ['@node-rs/argon2', 'installed by npm'],
      ['fastify', 'bundled'],
      ['react', 'bundled'],
      ['onnxruntime-node', 'added by `bellhop engines add`'],
    ])
      expect(found(name!), name).toMatchObject([
        {
          type: 'library',
          version: expect.stringMatching(/^\d/),
          purl: expect.stringContaining('pkg:npm/'),
          hashes: [{ alg: 'SHA-512' }],
          licenses: [expect.anything()],
          scope: packaging!.startsWith('added') ? 'optional' : 'required',
          properties: [{ value: packaging }],
        },
      ])
    for (const name of ['vitest', 'oxlint', 'playwright-core']) expect(found(name)).toEqual([])
    const refs = bom.components.map((each: { 'bom-ref': string }) => each['bom-ref'])
    expect(new Set(refs).size).toBe(refs.length)
    const known = new Set([...refs, 'bellhop@9.8.0'])
    const edges = bom.dependencies as { ref: string; dependsOn: string[] }[]
    expect(
      edges.flatMap(({ ref, dependsOn }) => [ref, ...dependsOn]).filter((ref) => !known.has(ref)),
    ).toEqual([])
    expect(new Set(edges.map(({ ref }) => ref))).toEqual(known)
  })

  test('cannot be made twice, nor without notes', async () => {
    expect(await release('9.8.0')).toMatchObject({ code: 1, stderr: '9.8.0 is not newer than 9.8.0.\n' })
    expect(await release('9.9.0')).toMatchObject({
      code: 1,
      stderr: 'CHANGELOG.md has nothing under "Unreleased".\n',
    })
  })
})
