import { join, resolve } from 'node:path'

import type { Config } from '../config.ts'
import { type DatabaseAddress, isPooled } from '../platform/db/address.ts'
import { copyDatabase } from '../platform/db/copy-database.ts'
import { createDatabaseIfMissing } from '../platform/db/create-database.ts'
import { openDatabase } from '../platform/db/database.ts'
import { migrate, pendingMigrations } from '../platform/db/migrate.ts'
import { POSTGRES_PORT } from '../platform/embedded-postgres/cluster-location.ts'
import { startEmbeddedPostgres } from '../platform/embedded-postgres/index.ts'
import { OperatorError } from '../platform/errors.ts'
import type { Log } from '../platform/log.ts'

interface Reached {
  address: DatabaseAddress
  release(): Promise<void>
}

/**
 * The migrated database of this installation: external if DATABASE_URL is set, else embedded. `migrated` names the
 * migrations that were applied.
 */
export async function openInstallationDatabase(config: Config, log: Log) {
  const { address, release } = config.databaseUrl
    ? { address: outsideAddress(config), release: async () => {} }
    : await reachEmbedded(config, log)
  try {
    const migrated = await migrate(address)
    if (migrated.length > 0) log.info({ migrations: migrated }, 'migrated the database')
    const db = openDatabase(address, { poolSize: config.databasePoolSize })
    // Nothing has gone through the pooler yet.
    if (isPooled(address)) await pendingMigrations(db.sql)
    const close = async () => {
      await db.close()
      await release()
    }
    return { db, embedded: !config.databaseUrl, migrated, close }
  } catch (error) {
    await release()
    throw config.databaseUrl ? whyNotReached(error) : error
  }
}

/**
 * Copies another database into the embedded one of this installation, and migrates it. The source is given by its
 * URL, or by the folder of its socket if it is an embedded one.
 */
export async function copyIntoInstallationDatabase(
  config: Config,
  log: Log,
  from: string,
): Promise<{ tables: number; migrated: string[] }> {
  if (config.databaseUrl)
    throw new OperatorError(
      'A database can only be copied into an embedded one: unset DATABASE_URL, or use pg_dump.',
    )
  const { address, release } = await reachEmbedded(config, log)
  try {
    const { tables } = await copyDatabase(addressOf(from), address).catch((error: unknown) => {
      throw whyNotReached(error, 'to copy from')
    })
    return { tables, migrated: await migrate(address) }
  } finally {
    await release()
  }
}

export const outsideAddress = ({ databaseUrl, databaseDirectUrl }: Config): DatabaseAddress => ({
  url: databaseUrl!,
  ...(databaseDirectUrl && { direct: { url: databaseDirectUrl } }),
})

/** Network errors. */
const UNREACHABLE =
  /^(ECONNREFUSED|ECONNRESET|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ENOENT|ETIMEDOUT|CONNECT_TIMEOUT|CONNECTION_CLOSED|CONNECTION_READ_ONLY)$/
/** PostgreSQL: wrong credentials, no such database, not permitted, too many connections, starting or stopping. */
const REFUSED = /^(28...|3D000|42501|53300|57P0[123])$/

export function whyNotReached(error: unknown, which = 'of DATABASE_URL'): unknown {
  const { code = '', message } = error as { code?: string; message: string }
  if (UNREACHABLE.test(code))
    return new OperatorError(
      `The database ${which} cannot be reached (${code}): check the address, and that PostgreSQL runs there.`,
      { cause: error },
    )
  if (REFUSED.test(code))
    return new OperatorError(`The database ${which} refused the connection: ${message}.`, { cause: error })
  return error
}

export const DATABASE_NAME = 'bellhop'

async function reachEmbedded(config: Config, log: Log): Promise<Reached> {
  const dir = join(config.dataDir, 'postgres')
  const postgres = await startEmbeddedPostgres({ dir, log }).catch((error: Error) => {
    throw new OperatorError(error.message, { cause: error })
  })
  const address = { ...postgres.address, database: DATABASE_NAME }
  try {
    await createDatabaseIfMissing({ ...address, database: 'postgres' }, DATABASE_NAME)
  } catch (error) {
    await postgres.release()
    throw error
  }
  return { address, release: () => postgres.release() }
}

function addressOf(from: string): DatabaseAddress {
  if (/^postgres(ql)?:/.test(from)) return { url: from }
  return { host: resolve(from), port: POSTGRES_PORT, user: 'postgres', database: DATABASE_NAME }
}
