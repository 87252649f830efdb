import { type Database, openDatabase } from '../../server/platform/db/database.ts'
import { afterFile } from './after-file.ts'

/** What of a table is counted: its rows, or the entries of its indexes. */
const COUNTS = {
  rows: `select seq_tup_read + coalesce(idx_tup_fetch, 0) from pg_stat_user_tables`,
  entries: `select sum(idx_tup_read) from pg_stat_user_indexes`,
}

/** PostgreSQL plans a prepared statement five times for its values, and may then keep a plan for all values. */
const ROUNDS_UNTIL_PLANNED = 6

/** Counts what statements read of a table once PostgreSQL keeps their plans: all of them use the one connection of `db`. */
export function countReads({ address }: Database, table: string, of: keyof typeof COUNTS = 'rows') {
  const db = openDatabase(address, { poolSize: 1 })
  afterFile(() => db.close())

  async function readSoFar(): Promise<number> {
    await db.sql`select pg_stat_force_next_flush()`
    // Flushed at the end of the next transaction.
    await db.sql`select`
    const [row] = await db.sql<{ count: number }[]>`
      select (${db.sql.unsafe(COUNTS[of])} where relname = ${table})::int as count`
    return row!.count
  }

  async function readBy(work: () => PromiseLike<unknown>): Promise<number> {
    const before = await readSoFar()
    await work()
    return (await readSoFar()) - before
  }

  return {
    db,
    /** What it reads the first time. */
    readBy,
    /** What it reads when it has run often enough for the plan to stay. */
    async readWhenPlanned(work: () => PromiseLike<unknown>): Promise<number> {
      for (let round = 0; round < ROUNDS_UNTIL_PLANNED; round++) await work()
      return readBy(work)
    },
  }
}
