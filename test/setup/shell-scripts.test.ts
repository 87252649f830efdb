import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { expect, test } from 'vitest'

import { packageRoot } from '../../server/platform/package-root.ts'

const start = promisify(execFile)

/** The exit status of shellcheck if it has found something. */
const FOUND = 1

/** Also those that no test runs, because they take root, another architecture or half an hour. */
test('shellcheck finds nothing in the shell scripts', async () => {
  const { stdout } = await start('git', ['ls-files', '-z'], { cwd: packageRoot, maxBuffer: 10_000_000 })
  const scripts: string[] = []
  for (const file of stdout.split('\0').filter(Boolean)) {
    // Most other files have an extension.
    if (/\.(?!sh$)\w+$/.test(file)) continue
    const [firstLine = ''] = (await readFile(join(packageRoot, file), 'utf8')).split('\n', 1)
    if (file.endsWith('.sh') || /^#!.*\b(ba)?sh\b/.test(firstLine)) scripts.push(file)
  }
  expect(scripts).toContain('test/setup/install-programs')
  const found = await start(
    'shellcheck',
    ['--external-sources', '--source-path=SCRIPTDIR', '--format=gcc', ...scripts],
    { cwd: packageRoot },
  ).catch((error: { code: unknown; stdout: string }) => {
    if (error.code === FOUND) return error
    throw error
  })
  expect(found.stdout).toBe('')
})
