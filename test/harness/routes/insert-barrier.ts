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
    const connections = await sql<{ is_waiting: boolean; query: string }[]>`
      select exists (select from pg_locks where pg_locks.pid = activity.pid and not granted) as is_waiting,
        state, wait_event, now() - state_change as since, left(query, 200) as query
      from pg_stat_activity activity where datname = current_database() and pid <> pg_backend_pid()`
    const waiting = connections.filter(({ is_waiting }) => is_waiting)
    expect(waiting.length, JSON.stringify(connections, undefined, 2)).toBe(count)
  }, PATIENCE)
}
