import { chmod, mkdir } from 'node:fs/promises'
import { join } from 'node:path'

import type { DatabaseAddress } from '../../../server/platform/db/address.ts'
import { createDatabaseIfMissing } from '../../../server/platform/db/create-database.ts'
import { connect, type DedicatedSql } from '../../../server/platform/db/database.ts'
import { startEmbeddedPostgres } from '../../../server/platform/embedded-postgres/index.ts'

/** What a server of this size would have, but nothing waits for the disk; and statements are counted. */
const SETTINGS = {
  fsync: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_wal_size: '4GB',
  shared_buffers: '1GB',
  shared_preload_libraries: 'pg_stat_statements',
  max_connections: '60',
}

export interface FilledServer {
  /** Creates the database if it is missing; the address is that of the superuser. */
  database(name: string): Promise<DatabaseAddress & { database: string }>
  /** The address as a URL, for other processes. */
  url(name: string): string
  close(): Promise<void>
}

const quiet = { info() {}, warn() {}, error() {}, debug() {} }

/** An embedded PostgreSQL in a folder, which can be kept. */
export async function startFilledServer(folder: string): Promise<FilledServer> {
  await mkdir(folder, { recursive: true })
  await chmod(folder, 0o755)
  const start = () => startEmbeddedPostgres({ dir: join(folder, 'postgres'), log: quiet })
  let server = await start()
  const main = () => ({ ...server.address, database: 'postgres' })
  const isSet = await ask(main(), async (sql) => {
    const [row] = await sql<{ fsync: string }[]>`select current_setting('fsync') as fsync`
    if (row!.fsync === 'off') return true
    for (const [name, value] of Object.entries(SETTINGS))
      await sql.unsafe(`alter system set ${name} = '${value}'`)
    return false
  })
  if (!isSet) {
    await server.release()
    server = await start()
  }
  return {
    async database(name) {
      await createDatabaseIfMissing(main(), name)
      return { ...server.address, database: name }
    },
    url: (name) =>
      `postgres://postgres@localhost/${name}?host=${encodeURIComponent(server.address.host)}&port=${server.address.port}`,
    close: () => server.release(),
  }
}

/** On a connection of its own, without limits. */
export async function ask<T>(address: DatabaseAddress, run: (sql: DedicatedSql) => Promise<T>): Promise<T> {
  const sql = connect(address, { max: 1, statement_timeout: 0 })
  try {
    return await run(sql)
  } finally {
    await sql.end()
  }
}
