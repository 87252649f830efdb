/** A PostgreSQL of its own, with the programs and settings of Bellhop's, for the call records of Asterisk. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { openDatabase } from '../../server/platform/db/database.ts'
import { startEmbeddedPostgres } from '../../server/platform/embedded-postgres/index.ts'
import { createLog } from '../../server/platform/log.ts'

export async function openCallRecords(dir: string) {
  const postgres = await startEmbeddedPostgres({ dir, log: createLog({ level: 'warn' }) })
  const address = { ...postgres.address, database: 'postgres' }
  const db = openDatabase(address, { poolSize: 1 })
  // The columns of Asterisk's own script for PostgreSQL.
  await db.sql`
    create table cdr (
      accountcode text, src text, dst text, dcontext text, clid text, channel text, dstchannel text, lastapp text,
      lastdata text, start timestamp, answer timestamp, "end" timestamp, duration int, billsec int, disposition text,
      amaflags int, userfield text, uniqueid text, linkedid text, peeraccount text, sequence int
    )`
  await db.sql`create index on cdr (start)`
  const pid = Number((await readFile(join(postgres.dir, 'data/postmaster.pid'), 'utf8')).split('\n')[0])
  return {
    address,
    pid,
    async count(): Promise<number> {
      const [row] = await db.sql<{ count: number }[]>`select count(*)::int as count from cdr`
      return row!.count
    },
    async close() {
      await db.close()
      await postgres.release()
    },
  }
}
