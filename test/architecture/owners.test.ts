import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { beforeAll, describe, expect, test } from 'vitest'

import { packageRoot } from '../../server/platform/package-root.ts'
import { readSources, type Source, withoutComments } from './sources.ts'
import { type Owned, TABLES } from './tables.ts'

interface Access {
  kind: 'reads' | 'writes'
  table: string
  /** The first column that an update sets. */
  column?: string
  module: string
  path: string
}

describe('the tables', () => {
  let sources: Source[]
  beforeAll(async () => {
    sources = await readSources(['bin', 'server'])
  })

  test('have one owner each', async () => {
    const schema = await readFile(join(packageRoot, 'db', 'schema.sql'), 'utf8')
    const tables = [...schema.matchAll(/^create table (\w+)/gm)].map(([, table]) => table)
    expect(Object.keys(TABLES)).toEqual(tables)
    const modules = new Set(sources.map(({ path }) => moduleOf(path)))
    expect(Object.values(TABLES).filter(({ owner }) => !modules.has(owner))).toEqual([])
  })

  test('are written by their owner only, and read by others only if an exception allows it', () => {
    const accesses = sources.flatMap((source) => accessesOf(source, TABLES))
    expect(accesses.length).toBeGreaterThan(150)
    expect(accesses.filter((access) => !isAllowed(access, TABLES)).map(said)).toEqual([])
  })

  test('have no unused exceptions', () => {
    const needed = sources.flatMap((source) => accessesOf(source, TABLES)).map(said)
    const given = Object.entries(TABLES).flatMap(([table, owned]) =>
      (['reads', 'writes'] as const).flatMap((kind) =>
        Object.keys(owned[kind] ?? {}).map((module) => `: ${module} ${kind} ${table}`),
      ),
    )
    expect(given.filter((exception) => !needed.some((access) => access.endsWith(exception)))).toEqual([])
  })
})

describe('the check itself', () => {
  const tables: Record<string, Owned> = {
    calls: { owner: 'calls', reads: { inbox: 'a reason' } },
    employees: { owner: 'employees', writes: { queue: { column: 'told_status', why: 'a reason' } } },
  }
  const refused = (path: string, text: string) =>
    accessesOf({ path, text }, tables)
      .filter((access) => !isAllowed(access, tables))
      .map(said)

  test.each([
    ['await tx`insert into calls (id) values (${id})`', 'writes calls'],
    ['await tx`update calls set state = ${state}`', 'writes calls'],
    ['await tx<{ id: string }[]>`\n    delete from\n      calls where id = ${id}`', 'writes calls'],
    ['await tx`with gone as (delete from calls returning id) select`', 'writes calls'],
    ['const [row] = await sql`select id from calls`', 'reads calls'],
    [
      'await sql`select ${columns(sql`id`)} from voicemails v left join calls c on c.id = v.call_id`',
      'reads calls',
    ],
    ['await sql`select ${isOld ? sql`(select max(id) from calls)` : null}`', 'reads calls'],
    [
      'const tables = (sql: Queryable) => sql`\n  calls c join numbers n on n.id = c.number_id`',
      'reads calls',
    ],
    ['await tx`delete from offers o using calls c where c.id = o.call_id`', 'reads calls'],
    ['await sql`select from voicemails v, calls c`', 'reads calls'],
    ['await tx`lock table calls`', 'writes calls'],
    ['await tx`insert into employees ${tx(values)}`', 'writes employees'],
  ])('another module may not: %s', (text, found) => {
    expect(refused('server/modules/voicemails/queries.ts', text)).toEqual([
      `server/modules/voicemails/queries.ts: voicemails ${found}`,
    ])
    expect(refused('server/telephony/call/call-writer.ts', text)).toEqual([
      `server/telephony/call/call-writer.ts: telephony ${found}`,
    ])
  })

  test.each([
    ['server/modules/calls/record/queries.ts', 'await tx`update calls set state = ${state}`'],
    ['server/modules/inbox/queries.ts', 'await sql`select from calls`'],
    ['server/modules/queue/queries.ts', 'await tx`update employees set told_status = null`'],
    ['server/modules/voicemails/queries.ts', 'await sql`select calls from voicemails`'],
    ['server/modules/voicemails/queries.ts', '// select from calls\nawait sql`select`'],
    ['server/modules/voicemails/routes.ts', "summary: 'Voicemails from calls'"],
  ])('%s may: %s', (path, text) => {
    expect(refused(path, text)).toEqual([])
  })

  test('an exception for one column does not cover another', () => {
    const path = 'server/modules/queue/queries.ts'
    expect(refused(path, 'await tx`update employees set name = ${name}`')).toHaveLength(1)
    expect(refused(path, 'await tx`delete from employees`')).toHaveLength(1)
  })

  test('an exception for reading does not cover writing', () => {
    expect(refused('server/modules/inbox/queries.ts', 'await tx`update calls set seen = true`')).toEqual([
      'server/modules/inbox/queries.ts: inbox writes calls',
    ])
  })
})

const said = ({ path, module, kind, table }: Access) => `${path}: ${module} ${kind} ${table}`

function isAllowed({ kind, table, column, module }: Access, tables: Record<string, Owned>): boolean {
  const { owner, reads = {}, writes = {} } = tables[table]!
  if (module === owner) return true
  return kind === 'reads' ? module in reads : column !== undefined && writes[module]?.column === column
}

/** The module of the file, or what counts as one: telephony, platform, bin. */
function moduleOf(path: string): string {
  const [top, next, module] = path.split('/')
  return next === 'modules' ? module! : top === 'server' ? next! : top!
}

function accessesOf({ path, text }: Source, tables: Record<string, Owned>): Access[] {
  const module = moduleOf(path)
  const found = new Map<string, Access>()
  const note = (kind: Access['kind'], statement: string, named: RegExp) => {
    for (const [, table, column] of statement.matchAll(named)) {
      if (Object.hasOwn(tables, table!))
        found.set(`${kind} ${table} ${column}`, { kind, table: table!, column, module, path })
    }
  }
  for (const statement of templatesOf(withoutComments(text))) {
    note('writes', statement, WRITTEN)
    note('reads', statement.replace(WRITTEN, ''), READ)
  }
  return [...found.values()]
}

const WRITTEN =
  /\b(?:insert\s+into|update|delete\s+from|truncate|lock\s+table)\s+(\w+)\b(?:\s+set\s+(\w+)\s*=)?/g
/** Also at the beginning of a fragment, and second in a list. */
const READ = /(?:^\s*|\b(?:from|join|using)\s+|(?<=\bfrom\s+\w+(?:\s+\w+)?),\s*)(\w+)\b/g

/** The text of each tagged template, including those nested in the values of others. */
function templatesOf(code: string): string[] {
  const found: string[] = []
  const open: { text: string; isTagged: boolean; depth: number }[] = []
  for (let at = 0; at < code.length; at++) {
    const top = open.at(-1)
    const isInText = top?.depth === 0
    const char = code[at]!
    if (isInText && char === '\\') at++
    else if (isInText && char === '`') {
      open.pop()
      if (top.isTagged) found.push(top.text)
    } else if (isInText && code.startsWith('${', at)) {
      top.depth = 1
      top.text += '$'
      at++
    } else if (isInText) top.text += char
    else if (char === '`') open.push({ text: '', isTagged: /[\w>)]/.test(code[at - 1] ?? ''), depth: 0 })
    else if (top && char === '{') top.depth++
    else if (top && char === '}') top.depth--
  }
  return found
}
