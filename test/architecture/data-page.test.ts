import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { beforeAll, expect, test } from 'vitest'

import { packageRoot } from '../../server/platform/package-root.ts'
import { dataPageParts, fillPage } from './data-page.ts'

const PAGE = join(packageRoot, 'docs', 'data.md')

let schema: string
let page: string
beforeAll(async () => {
  schema = await readFile(join(packageRoot, 'db', 'schema.sql'), 'utf8')
  page = await readFile(PAGE, 'utf8')
})

test('docs/data.md has the owners and the diagram that are generated from the schema and the map of owners', async () => {
  await expect(fillPage(page, dataPageParts(schema))).toMatchFileSnapshot(PAGE)
})

test('docs/data.md says why each trigger is a trigger', () => {
  const triggers = [...schema.matchAll(/^CREATE TRIGGER (\w+)/gm)].map(([, name]) => name!)
  expect(triggers.length).toBeGreaterThan(10)
  expect(triggers.filter((name) => !page.includes(`\`${name}\``))).toEqual([])
})

test('the diagram has every table, in its module, with its references', () => {
  const { references } = dataPageParts(schema)
  expect(references).toContain('  subgraph module_calls["calls"]\n    call_employees\n')
  expect(references).toContain('  voicemails --> calls\n')
  expect(references).not.toContain('--> companies')
  expect(dataPageParts(schema.replaceAll('REFERENCES calls(', 'REFERENCES messages('))).not.toEqual(
    dataPageParts(schema),
  )
})

test('a page without the markers is an error', () => {
  expect(() => fillPage('# Data\n', { owners: '' })).toThrow('no marks for owners')
})
