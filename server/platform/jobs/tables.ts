import { Logger, runMigrations } from 'graphile-worker'

import type { DatabaseAddress } from '../db/address.ts'
import { openJobPool } from './pool.ts'

export async function migrateJobTables(address: DatabaseAddress): Promise<void> {
  const pool = openJobPool(address, 1)
  try {
    await runMigrations({ pgPool: pool, logger: new Logger(() => () => {}) })
  } finally {
    await pool.end()
  }
}
