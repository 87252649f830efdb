import { onTestFinished } from 'vitest'

import { withQueue } from '../../../server/modules/queue/index.ts'
import type { Database, Tx } from '../../../server/platform/db/database.ts'

/** Takes a lock, and keeps it until the returned function is called or the test ends. */
export async function holdLock(db: Database, take: (tx: Tx) => Promise<unknown>): Promise<() => void> {
  let release!: () => void
  const released = new Promise<void>((resolve) => (release = resolve))
  onTestFinished(release)
  await new Promise<void>((isLocked, failed) => {
    const holding = db.tx(async (tx) => {
      await take(tx)
      isLocked()
      await released
    })
    holding.catch(failed)
  })
  return release
}

export const lockQueue = (db: Database, companyId: string) =>
  holdLock(db, (tx) => withQueue(tx, companyId, async () => tx`select`))

/** Statements of this database that wait for a lock. */
export async function waitingStatements({ sql }: Database): Promise<number> {
  const waiting = await sql`
    select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  return waiting.length
}
