import type { DatabaseAddress } from '../db/address.ts'
import type { Sql } from '../db/database.ts'
import { newestApplied } from './queries.ts'

/** The latest migration of the graphile-worker version in package.json. */
export const NEWEST_MIGRATION = 19

/** Creates or migrates the job tables; `sql` is a connection to the same database. */
export async function migrateJobTables(sql: Sql, address: DatabaseAddress): Promise<void> {
  if ((await newestApplied(sql)) === NEWEST_MIGRATION) return
  // Imported only here: a command that finds the tables up to date starts faster without the library.
  const [{ Logger, runMigrations }, { openJobPool }] = await Promise.all([
    import('graphile-worker'),
    import('./pool.ts'),
  ])
  const pool = openJobPool(address, { max: 1 })
  try {
    await runMigrations({ pgPool: pool, logger: new Logger(() => () => {}) })
  } finally {
    await pool.end()
  }
}
