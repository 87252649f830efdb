import { readdir } from 'node:fs/promises'

import type { DatabaseAddress } from '../../../server/platform/db/address.ts'
import { MIGRATIONS_DIR, migrateLike } from '../../../server/platform/db/migrate.ts'
import { ask, type FilledServer } from './database.ts'
import { fill } from './fill/fill.ts'
import { MEASURED, type Size } from './fill/series.ts'
import { migrateAndWatch } from './locks.ts'

/** The database is filled in the schema of this migration: the later ones meet tables that are big. */
const FILLED_AT = '0046-early-commits.sql'

/** A filled database, migrated to this version; one that was filled earlier is kept. */
export async function prepare(server: FilledServer, name: string, size: Size, tell: (line: string) => void) {
  const address = await server.database(name)
  const isFilled = await ask(address, async (sql) => {
    const [row] = await sql<{ found: boolean }[]>`select to_regclass('growth.filled') is not null as found`
    return row!.found
  })
  if (!isFilled) {
    tell(`${name}: filling ${JSON.stringify(size)}`)
    await migrateLike(address, await migrationsUpTo(FILLED_AT))
    await fill(address, size, (line) => tell(`${name}: ${line}`))
  }
  const migrated = await migrateAndWatch(address)
  if (!isFilled) await finish(address, size)
  return migrated
}

async function migrationsUpTo(last: string): Promise<Set<string>> {
  return new Set((await readdir(MIGRATIONS_DIR)).filter((name) => name.endsWith('.sql') && name <= last))
}

/** What only the newest schema has. */
async function finish(address: DatabaseAddress, size: Size) {
  await ask(address, async (sql) => {
    await sql`create extension pg_stat_statements`
    await sql`set session_replication_role = replica`
    await sql`
      update calls set outcome = 'call_back' where right(id::text, 1) = '0' and company_id in (
        select id from growth.companies where place = any(${Object.values(MEASURED)}::int[])
      )`
    await sql`reset session_replication_role`
    await sql`vacuum analyze`
    await sql`create table growth.filled as select ${JSON.stringify(size)}::jsonb as size`
  })
}
