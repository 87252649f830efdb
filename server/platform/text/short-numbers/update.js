// Writes patterns.ts from the current release of google-libphonenumber, which need not be installed: it is 40 times as
// large as the patterns.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

// The positions of a field and of its pattern in the arrays of the package (phonemetadata.proto).
const EMERGENCY = 27
const SHORT_CODE = 29
const PATTERN = 2

const folder = mkdtempSync(join(tmpdir(), 'short-numbers-'))
try {
  const [{ filename, version }] = JSON.parse(
    execFileSync('npm', ['pack', 'google-libphonenumber', '--json'], { cwd: folder, encoding: 'utf8' }),
  )
  execFileSync('tar', ['-xzf', filename], { cwd: folder })
  const { shortnumbermetadata } = createRequire(import.meta.url)(
    join(folder, 'package/dist/libphonenumber.js'),
  )
  const patternsOf = (field) =>
    Object.entries(shortnumbermetadata.countryToMetadata)
      .flatMap(([country, fields]) => (fields[field]?.[PATTERN] ? [[country, fields[field][PATTERN]]] : []))
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([country, pattern]) => `  ${country}: ${JSON.stringify(pattern)},`)
  const text = [
    `/** The emergency and short numbers of each country in libphonenumber ${version}. Written by \`npm run short-numbers\`. */`,
    'export const SHORT_NUMBER_PATTERNS: Record<string, string> = {',
    ...patternsOf(SHORT_CODE),
    '}',
    '',
    '/** Those of them that call for help. */',
    'export const EMERGENCY_NUMBER_PATTERNS: Record<string, string> = {',
    ...patternsOf(EMERGENCY),
    '}',
    '',
  ]
  writeFileSync(new URL('patterns.ts', import.meta.url), text.join('\n'))
} finally {
  rmSync(folder, { recursive: true })
}
