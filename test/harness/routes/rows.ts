import type { Sql } from '../../../server/platform/db/database.ts'

/** The last use of a key changes with any request. */
const NOTED_BESIDE = new Set(['api_key_uses'])

export type Rows = Record<string, string[]>

/** The hash of one row. The hash of a table is the sum, which does not depend on order. */
const HASH = 'hashtextextended(it::text, 0)'

/** One statement for all tables of a database, and the rows that were read when a table last changed. */
interface Look {
  tables: Map<string, string>
  statement: string
  known: Map<string, { hash: string; rows: string[] }>
}

const looks = new WeakMap<Sql, Look>()

/**
 * Every row of every table and every pending job, to find out whether anything has changed. One statement returns a
 * hash of each table, and only tables whose hash has changed are read.
 */
export async function allRows(sql: Sql): Promise<Rows> {
  const look = looks.get(sql) ?? (await prepareLook(sql))
  looks.set(sql, look)
  const hashes = await sql<{ name: string; hash: string }[]>`${sql.unsafe(look.statement)}`
  const rows: Rows = {}
  for (const { name, hash } of hashes) {
    const known = look.known.get(name)
    const fresh = known?.hash === hash ? known : await readTable(sql, look.tables.get(name)!)
    look.known.set(name, fresh)
    rows[name] = fresh.rows
  }
  return rows
}

async function prepareLook(sql: Sql): Promise<Look> {
  const found = await sql<{ name: string }[]>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`
  const names = found.map(({ name }) => name).filter((name) => !NOTED_BESIDE.has(name))
  const tables = new Map([
    ['jobs', 'graphile_worker.jobs'],
    ...names.map((name) => [name, `public."${name}"`] as const),
  ])
  const hashes = [...tables].map(
    ([name, table]) =>
      `select '${name}' as name, coalesce(sum(${HASH}), 0)::text as hash from ${table} as it`,
  )
  return { tables, statement: hashes.join(' union all '), known: new Map() }
}

/** The hash is of exactly these rows, even if others were written since the hashes of all tables were read. */
async function readTable(sql: Sql, table: string): Promise<{ hash: string; rows: string[] }> {
  const read = await sql.unsafe<{ text: string; hash: string }[]>(
    `select it::text as text, ${HASH}::text as hash from ${table} as it order by 1`,
  )
  const hash = read.reduce((sum, row) => sum + BigInt(row.hash), 0n)
  return { hash: hash.toString(), rows: read.map(({ text }) => text) }
}
