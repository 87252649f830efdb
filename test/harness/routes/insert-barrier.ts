import { expect, vi } from 'vitest'

import type { DedicatedSql, Queryable } from '../../../server/platform/db/database.ts'

/** Shorter than PostgreSQL's idle-in-transaction timeout, longer than a busy machine needs. */
const PATIENCE = { timeout: 30_000, interval: 20 }

/**
 * Provokes a race of requests that check first and then insert: nothing can be inserted into `table` until all of them
 * wait, so all have checked, unless they lock each other out. `sql` is a separate connection.
 */
export async function raceInserts<T>(
  sql: DedicatedSql,
  table: string,
  requests: (() => Promise<T>)[],
): Promise<T[]> {
  const { running } = await sql.begin(async (tx) => {
    await tx`lock table ${tx(table)} in share mode`
    const running = requests.map((request) => request())
    await untilWaiting(tx, requests.length)
    return { running }
  })
  return Promise.all(running)
}

/** Waits until `count` connections to the database wait for a lock. */
export async function untilWaiting(sql: Queryable, count: number): Promise<void> {
  await vi.waitFor(async () => {
    // Within a transaction, pg_stat_activity is read once: connections opened after that would not be counted.
    await sql`select pg_stat_clear_snapshot()`
    const [row] = await sql<{ waiting: number }[]>`
      select count(distinct pid)::int as waiting from pg_locks join pg_stat_activity using (pid)
      where not granted and datname = current_database()`
    expect(row!.waiting).toBe(count)
  }, PATIENCE)
}
