import { createReadStream } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

import type { TestProject } from 'vitest/node'

import { connect, type Sql } from '../../server/platform/db/database.ts'
import { packageRoot } from '../../server/platform/package-root.ts'
import startPostgres, { TEMPLATE } from '../harness/global-setup.ts'
import { readStatements, thisVersion, writeStatements } from './dump.ts'

const PREFIX = '@@'
const SETTINGS = { log_statement: 'all', log_line_prefix: PREFIX, log_parameter_max_length: '0' }
const LOGGED = /^LOG: {2}(?:execute [^:]+|statement): (.*)$/s

/**
 * Makes PostgreSQL log its statements while tests run, and keeps those that this version of the code sends: a later
 * version must still support them, as long as processes of this version run beside it.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const stop = await startPostgres(project)
  const sql = connect({ ...project.getProvidedContext().postgres, database: TEMPLATE }, { max: 1 })
  const [{ data_directory }] = (await sql`show data_directory`) as unknown as [{ data_directory: string }]
  for (const [name, value] of Object.entries(SETTINGS))
    await sql.unsafe(`alter system set ${name} = '${value}'`)
  await sql`select pg_reload_conf()`
  await sql.end()
  return async () => {
    const template = connect({ ...project.getProvidedContext().postgres, database: TEMPLATE }, { max: 1 })
    await template.unsafe(`set log_statement = 'none'`)
    await keepStatements(template, join(data_directory, '..', 'postgres.log'))
    await template.end()
    await stop()
  }
}

/** Beside those of earlier runs, so that the tests need not all run at once. */
async function keepStatements(sql: Sql, log: string): Promise<void> {
  const templates = await readTemplates()
  const name = await thisVersion()
  const kept = new Set(await readStatements(name).catch(() => []))
  const keep = (statement: string) =>
    sql.unsafe(`prepare tried as ${statement}; deallocate tried`).then(
      () => void kept.add(statement),
      (error: Error) => `${error.message}: ${statement}`,
    )
  const failures: string[] = []
  for (const statement of await readLog(log)) {
    if (kept.has(statement) || !templates.some(({ shape }) => shape.test(statement))) continue
    failures.push((await keep(statement)) ?? '')
  }
  const neverAsked: string[] = []
  for (const { path, text, shape } of templates) {
    if ([...kept].some((statement) => shape.test(statement))) continue
    // If only values are inserted, the code has the whole statement; a fragment is not a statement of its own.
    let values = 0
    if (await keep(text.replaceAll('${}', () => `$${++values}`))) neverAsked.push(`${path}: ${text}`)
  }
  await writeStatements(name, [...kept].toSorted())
  report('cannot be prepared', failures.filter(Boolean))
  report('were never asked', neverAsked)
}

function report(what: string, lines: string[]): void {
  console.log(`${lines.length} statements ${what}\n${lines.join('\n')}`)
}

/** One line each: PostgreSQL does not care about line breaks. */
async function readLog(path: string): Promise<Set<string>> {
  const statements = new Set<string>()
  let entry = ''
  for await (const line of createInterface(createReadStream(path))) {
    if (line.startsWith('\t')) {
      entry += `\n${line}`
      continue
    }
    const statement = LOGGED.exec(entry)?.[1]
    if (statement) statements.add(oneLine(statement))
    entry = line.startsWith(PREFIX) ? line.slice(PREFIX.length) : ''
  }
  return statements
}

const oneLine = (sql: string) => sql.replaceAll(/--.*$/gm, '').replaceAll(/\s+/g, ' ').trim()

interface Template {
  path: string
  text: string
  /** A pattern for the statement with its values inserted. */
  shape: RegExp
}

const SQL = /^(select|insert|update|delete|with|lock|notify|listen)\b/i

/** The statements in our code; those of the tests themselves do not matter. */
async function readTemplates(): Promise<Template[]> {
  const templates: Template[] = []
  for (const name of await readdir(join(packageRoot, 'server'), { recursive: true })) {
    if (!name.endsWith('.ts') || name.endsWith('.test.ts')) continue
    const code = await readFile(join(packageRoot, 'server', name), 'utf8')
    for (const chunks of templateLiterals(code)) {
      const text = oneLine(chunks.join('${}'))
      if (!SQL.test(text)) continue
      templates.push({ path: name, text, shape: shapeOf(text) })
    }
  }
  return templates
}

/** An inserted fragment may be empty, so that the spaces around it become one. */
function shapeOf(text: string): RegExp {
  const literal = text
    .split(/ ?\$\{\} ?/)
    .map((chunk) => chunk.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`))
  return new RegExp(`^${literal.join('.*')}$`, 'i')
}

/** The text between the `${}` of each template literal, including nested ones. */
function templateLiterals(code: string): string[][] {
  const found: string[][] = []
  /** For each open literal: its chunks, and how many braces are open in its `${}`; -1 in its text. */
  const open: { chunks: string[]; braces: number }[] = []
  for (let at = 0; at < code.length; at++) {
    const inner = open.at(-1)
    const character = code[at]!
    if (inner && inner.braces < 0) {
      if (character === '\\') inner.chunks[inner.chunks.length - 1] += code[++at]!
      else if (character === '`') found.push(open.pop()!.chunks)
      else if (character === '$' && code[at + 1] === '{') {
        inner.braces = 0
        at++
      } else inner.chunks[inner.chunks.length - 1] += character
    } else if (character === '`') open.push({ chunks: [''], braces: -1 })
    else if (inner && character === '{') inner.braces++
    else if (inner && character === '}' && inner.braces-- === 0) inner.chunks.push('')
  }
  return found
}
