import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { OperatorError } from '../errors.ts'
import { migrateJobTables } from '../jobs/tables.ts'
import { packageRoot } from '../package-root.ts'
import type { DatabaseAddress } from './address.ts'
import { connect, type Sql } from './database.ts'

const MIGRATIONS_DIR = join(packageRoot, 'db', 'migrations')
/** Any number, the same in every process: who holds it migrates, the others wait. */
const MIGRATION_LOCK = 7_205_591
const OLDEST_SERVER_VERSION = 140_000

/** Brings the database to what this version of the code expects; returns the names of the migrations applied. */
export async function migrate(address: DatabaseAddress): Promise<string[]> {
  const sql = connect(address, {
    max: 1,
    connection: { application_name: 'bellhop migrate', statement_timeout: 0 },
  })
  try {
    await refuseOldServer(sql)
    await sql`select pg_advisory_lock(${MIGRATION_LOCK})`
    await sql`create table if not exists schema_migrations (
      name text primary key,
      applied_at timestamptz not null default now()
    )`
    const pending = await pendingMigrations(sql)
    for (const name of pending) await applyMigration(sql, name)
    await migrateJobTables(address)
    return pending
  } finally {
    await sql.end()
  }
}

/** Names of the migrations this code has and the database lacks. */
export async function pendingMigrations(sql: Sql): Promise<string[]> {
  const known = (await readdir(MIGRATIONS_DIR)).filter((name) => name.endsWith('.sql')).toSorted()
  const rows = await sql<{ name: string }[]>`select name from schema_migrations`
  const applied = new Set(rows.map((row) => row.name))
  const unknown = [...applied].filter((name) => !known.includes(name))
  if (unknown.length > 0) {
    throw new OperatorError(
      `The database is newer than this Bellhop (it has ${unknown.join(', ')}); start the newer version.`,
    )
  }
  return known.filter((name) => !applied.has(name))
}

async function applyMigration(sql: Sql, name: string): Promise<void> {
  const statements = await readFile(join(MIGRATIONS_DIR, name), 'utf8')
  await sql.begin(async (tx) => {
    await tx.unsafe(statements)
    await tx`insert into schema_migrations (name) values (${name})`
  })
}

async function refuseOldServer(sql: Sql): Promise<void> {
  const [row] = await sql<{ version: number }[]>`select current_setting('server_version_num')::int as version`
  if (row && row.version < OLDEST_SERVER_VERSION) {
    throw new OperatorError(
      `DATABASE_URL must name a PostgreSQL 14 or newer; this one is ${Math.floor(row.version / 10_000)}.`,
    )
  }
}
