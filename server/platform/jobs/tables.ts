import type { DatabaseAddress } from '../db/address.ts'
import type { Sql } from '../db/database.ts'
import { newestApplied } from './queries.ts'

/** The last migration of the graphile-worker that package.json names. */
export const NEWEST_MIGRATION = 19

/** Makes the tables of jobs, or brings them up to date; `sql` is a connection to the same database. */
export async function migrateJobTables(sql: Sql, address: DatabaseAddress): Promise<void> {
  if ((await newestApplied(sql)) === NEWEST_MIGRATION) return
  // Only here: a command that finds them up to date starts faster without a worker in memory.
  const [{ Logger, runMigrations }, { openJobPool }] = await Promise.all([
    import('graphile-worker'),
    import('./pool.ts'),
  ])
  const pool = openJobPool(address, 1)
  try {
    await runMigrations({ pgPool: pool, logger: new Logger(() => () => {}) })
  } finally {
    await pool.end()
  }
}
