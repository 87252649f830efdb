import type { Sql } from '../../server/platform/db/database.ts'

/** When a key was last used is noted about every request, whatever it does. */
const NOTED_BESIDE = new Set(['api_key_uses'])

/** Every row of every table and every job that waits: what two such looks agree on was not changed in between. */
export async function allRows(sql: Sql): Promise<Record<string, string[]>> {
  const tables = await sql<{ name: string }[]>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`
  const rows: Record<string, string[]> = { jobs: await textsOf(sql, sql`graphile_worker.jobs`) }
  for (const { name } of tables.filter(({ name }) => !NOTED_BESIDE.has(name)))
    rows[name] = await textsOf(sql, sql(name))
  return rows
}

async function textsOf(sql: Sql, table: object): Promise<string[]> {
  const rows = await sql<{ text: string }[]>`select it::text as text from ${table as never} as it order by 1`
  return rows.map((row) => row.text)
}
