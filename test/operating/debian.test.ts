import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { expect, test } from 'vitest'

import { readConfig, variableNames } from '../../server/config.ts'
import { packageRoot } from '../../server/platform/package-root.ts'

// test/debian-package/run installs the package; this is what can be seen without.
const FOLDER = join(packageRoot, 'deploy/debian/bellhop')

test('the settings of the Debian package are settings of Bellhop, and its examples are accepted', async () => {
  const text = await readFile(join(FOLDER, 'bellhop.env'), 'utf8')
  const examples = [...text.matchAll(/^#([A-Z_]+)=(.*)$/gm)].map(
    ([, name, value]) => [name!, value!] as const,
  )
  expect(examples.length).toBeGreaterThan(5)
  expect(examples.filter(([name]) => !variableNames.includes(name as never))).toEqual([])
  expect(readConfig(Object.fromEntries(examples)).baseUrl).toBe('https://phone.example.com')
})

test.each(['bellhop', 'postinst', 'prerm', 'postrm'])(
  'sh can read %s of the Debian package',
  async (name) => {
    await promisify(execFile)('sh', ['-n', join(FOLDER, name)])
  },
)

test('the Debian package lays its files where its units look for them', async () => {
  const build = await readFile(join(packageRoot, 'deploy/debian/build'), 'utf8')
  const unit = await readFile(join(packageRoot, 'deploy/systemd/bellhop.service'), 'utf8')
  expect(unit).toContain('ExecStart=/usr/bin/bellhop serve')
  expect(build).toContain('"$root/usr/bin/bellhop"')
  expect(unit).toContain('EnvironmentFile=-/etc/bellhop/bellhop.env')
  expect(await readFile(join(FOLDER, 'conffiles'), 'utf8')).toBe('/etc/bellhop/bellhop.env\n')
})
