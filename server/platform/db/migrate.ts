import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { systemPause } from '../clock.ts'
import { sha256 } from '../crypto/crypto.ts'
import { OperatorError } from '../errors.ts'
import { migrateJobTables } from '../jobs/tables.ts'
import { PLATFORM_LIMITS } from '../limits.ts'
import { packageRoot } from '../package-root.ts'
import { type DatabaseAddress, directAddress } from './address.ts'
import { connect, type DedicatedSql, type Sql, type Tx } from './database.ts'

export const MIGRATIONS_DIR = join(packageRoot, 'db', 'migrations')
/** An arbitrary number, the same in every process: the holder of the lock migrates, the others wait. */
const MIGRATION_LOCK = 7_205_591
/** Adds the column for hashes. */
const HASHES_SINCE = '0019-migration-hashes.sql'
/** Begins a migration that would lock a big table for long if it were one transaction. Its steps can be repeated. */
const IN_STEPS = '-- In steps'
const NEXT_STEP = /^-- Next step$/m
/** Steps that nobody waits for while they wait themselves, and that cannot be a part of a transaction. */
const WAITS_ALONE = /\bconcurrently\b|^\s*commit;/m
const LOCK_NOT_AVAILABLE = '55P03'
/** PostgreSQL 14. */
export const OLDEST_SERVER_VERSION = 140_000

/** A file in db/migrations. */
interface Migration {
  name: string
  statements: string
  hash: string
}

/** Migrates the database to the schema of this version; returns the names of the applied migrations. */
export function migrate(address: DatabaseAddress): Promise<string[]> {
  return applyMigrations(address, () => true)
}

/** Migrates an empty database to the state of another one that has these migrations. */
export async function migrateLike(address: DatabaseAddress, applied: Set<string>): Promise<void> {
  refuseNewer(await migrationNames(), applied)
  await applyMigrations(address, (name) => applied.has(name))
}

async function applyMigrations(
  address: DatabaseAddress,
  isWanted: (name: string) => boolean,
): Promise<string[]> {
  const sql = connect(directAddress(address), {
    max: 1,
    application_name: 'bellhop migrate',
    statement_timeout: 0,
  })
  try {
    await refuseOldServer(sql)
    await refuseOtherEncoding(sql)
    await lockMigrations(sql)
    await sql`create table if not exists schema_migrations (
      name text primary key,
      applied_at timestamptz not null default now()
    )`
    const migrations = (await readMigrations()).filter(({ name }) => isWanted(name))
    const applied = await selectApplied(sql)
    refuseNewer(await migrationNames(), new Set(applied.keys()))
    refuseChanged(migrations, applied)
    const pending = migrations.filter(({ name }) => !applied.has(name))
    for (const migration of pending) await applyMigration(sql, migration)
    if (isWanted(HASHES_SINCE)) await noteHashes(sql, migrations)
    await migrateJobTables(sql, address)
    return pending.map(({ name }) => name)
  } finally {
    await sql.end()
  }
}

/** Names of migrations that the database lacks. */
export async function pendingMigrations(sql: Sql): Promise<string[]> {
  const applied = await selectApplied(sql)
  return (await migrationNames()).filter((name) => !applied.has(name))
}

export interface MigrationState {
  /** Not applied yet. */
  pending: string[]
  /** Applied by a newer version. */
  unknown: string[]
  /** Their files are not what was applied. */
  changed: string[]
}

/** How the database differs from the schema of this version; an empty database lacks everything. */
export async function readMigrationState(sql: Sql): Promise<MigrationState> {
  const [found] = await sql<
    { exists: boolean }[]
  >`select to_regclass('schema_migrations') is not null as exists`
  const applied = found?.exists ? await selectApplied(sql) : new Map<string, string | null>()
  const migrations = await readMigrations()
  const names = migrations.map(({ name }) => name)
  return {
    pending: names.filter((name) => !applied.has(name)),
    unknown: unknownTo(names, applied.keys()),
    changed: changedSince(migrations, applied),
  }
}

/** Independent of the line endings of a checkout. */
export function hashOfMigration(statements: string): string {
  return sha256(statements.replaceAll('\r\n', '\n')).toString('hex')
}

async function migrationNames(): Promise<string[]> {
  return (await readdir(MIGRATIONS_DIR)).filter((name) => name.endsWith('.sql')).toSorted()
}

async function readMigrations(): Promise<Migration[]> {
  const names = await migrationNames()
  return Promise.all(
    names.map(async (name) => {
      const statements = await readFile(join(MIGRATIONS_DIR, name), 'utf8')
      return { name, statements, hash: hashOfMigration(statements) }
    }),
  )
}

/** The hash of each applied migration; null if a version before hashes applied it. */
async function selectApplied(sql: Sql): Promise<Map<string, string | null>> {
  // Through jsonb, because a migration adds the column itself.
  const rows = await sql<{ name: string; hash: string | null }[]>`
    select name, to_jsonb(schema_migrations) ->> 'hash' as hash from schema_migrations`
  return new Map(rows.map(({ name, hash }) => [name, hash]))
}

function refuseNewer(known: string[], applied: Set<string>): void {
  const unknown = unknownTo(known, applied)
  if (unknown.length === 0) return
  throw new OperatorError(
    `The database is newer than this Bellhop (it has ${unknown.join(', ')}); start the newer version.`,
  )
}

const unknownTo = (known: string[], applied: Iterable<string>) =>
  [...applied].filter((name) => !known.includes(name))

const changedSince = (migrations: Migration[], applied: Map<string, string | null>) =>
  migrations.filter(({ name, hash }) => (applied.get(name) ?? hash) !== hash).map(({ name }) => name)

/** A changed file no longer describes what was done to this database. */
function refuseChanged(migrations: Migration[], applied: Map<string, string | null>): void {
  const changed = changedSince(migrations, applied)
  if (changed.length === 0) return
  const files = changed.map((name) => `db/migrations/${name}`).join(', ')
  throw new OperatorError(
    `${files} was changed after it was applied to this database: restore the original file of this version of ` +
      'Bellhop, and put changes to the schema into a new migration.',
  )
}

/** Polls, because a statement that waits keeps an index from being built concurrently, by the process it waits for. */
async function lockMigrations(sql: Sql): Promise<void> {
  for (;;) {
    const [row] = await sql<{ locked: boolean }[]>`select pg_try_advisory_lock(${MIGRATION_LOCK}) as locked`
    if (row?.locked) return
    await systemPause(PLATFORM_LIMITS.migrationLockPollMs)
  }
}

async function applyMigration(sql: DedicatedSql, { name, statements }: Migration): Promise<void> {
  if (statements.startsWith(IN_STEPS)) return applyInSteps(sql, name, statements)
  await untilTablesAreFree(() =>
    sql.begin(async (tx) => {
      await limitTableWait(tx)
      await tx.unsafe(statements)
      await tx`insert into schema_migrations (name) values (${name})`
    }),
  )
}

/** A process that ends in the middle leaves the finished steps behind, so the next one repeats all of them. */
async function applyInSteps(sql: DedicatedSql, name: string, statements: string): Promise<void> {
  for (const step of statements.split(NEXT_STEP)) {
    if (WAITS_ALONE.test(step)) await sql.unsafe(step)
    else
      await untilTablesAreFree(() =>
        sql.begin(async (tx) => {
          await limitTableWait(tx)
          await tx.unsafe(step)
        }),
      )
  }
  await sql`insert into schema_migrations (name) values (${name})`
}

const limitTableWait = (tx: Tx) =>
  tx.unsafe(`set local lock_timeout = ${PLATFORM_LIMITS.migrationTableWaitMs}`)

/** A backup, for example, keeps its tables from being changed until it is done. */
async function untilTablesAreFree(run: () => Promise<void>): Promise<void> {
  for (;;) {
    try {
      return await run()
    } catch (error) {
      if ((error as { code?: string }).code !== LOCK_NOT_AVAILABLE) throw error
      await systemPause(PLATFORM_LIMITS.migrationTablePauseMs)
    }
  }
}

/** Includes migrations that an older version applied: from now on they must not change. */
async function noteHashes(sql: Sql, migrations: Migration[]): Promise<void> {
  await sql`
    update schema_migrations set hash = read.hash
    from unnest(
      ${migrations.map(({ name }) => name)}::text[], ${migrations.map(({ hash }) => hash)}::text[]
    ) as read (name, hash)
    where schema_migrations.name = read.name and schema_migrations.hash is null`
}

async function refuseOldServer(sql: Sql): Promise<void> {
  const [row] = await sql<{ version: number }[]>`select current_setting('server_version_num')::int as version`
  if (row && row.version < OLDEST_SERVER_VERSION) {
    throw new OperatorError(
      `DATABASE_URL must name a PostgreSQL 14 or newer; this one is ${Math.floor(row.version / 10_000)}.`,
    )
  }
}

/** Where no locale is set, PostgreSQL makes databases that take any bytes, and cannot compare letters. */
async function refuseOtherEncoding(sql: Sql): Promise<void> {
  const [row] = await sql<{ encoding: string; name: string }[]>`
    select current_setting('server_encoding') as encoding, current_database() as name`
  if (row && row.encoding !== 'UTF8') {
    throw new OperatorError(
      `The database ${row.name} has the encoding ${row.encoding}, and Bellhop needs UTF8. ` +
        'Create one with: createdb --encoding=UTF8 --template=template0 NAME',
    )
  }
}
