import { execFile } from 'node:child_process'
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

import type { TestProject } from 'vitest/node'

import type { DatabaseAddress } from '../../server/platform/db/address.ts'
import { createDatabaseIfMissing } from '../../server/platform/db/create-database.ts'
import { connect } from '../../server/platform/db/database.ts'
import { migrate } from '../../server/platform/db/migrate.ts'
import { startEmbeddedPostgres } from '../../server/platform/embedded-postgres/index.ts'
import { createLog } from '../../server/platform/log.ts'
import { DATABASE_NAME } from '../../server/wiring/database.ts'
import { startSharedSpeaker } from './shared-speaker.ts'

export const TEMPLATE = 'bellhop_template'

/** Durability and background maintenance are off, because this PostgreSQL lives for a few minutes only. */
const FOR_CRASHES = ['fsync', 'full_page_writes', 'autovacuum']

declare module 'vitest' {
  interface ProvidedContext {
    postgres: { host: string; port: number; user: string }
    /** A stopped PostgreSQL of an installation without companies, for copies. */
    emptyInstallation: string
    /** A folder of default greetings, which all installations share: each takes seconds to synthesise. */
    greetings: string
    /** Where shared-speaker.ts asks for speech. */
    speakerPort: number
  }
}

const copy = promisify(execFile)

/**
 * One PostgreSQL for the whole run, with a migrated database that every test file clones. Tests of the built program
 * start copies of it, as it was with nothing but that database.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dir = await mkdtemp(join(tmpdir(), 'bellhop-test-'))
  // If run as root, PostgreSQL drops to another account, which must be able to enter the directory.
  await chmod(dir, 0o755)
  const greetings = join(dir, 'greetings')
  await mkdir(greetings)
  const log = createLog({ level: 'warn' })
  const start = () => startEmbeddedPostgres({ dir: join(dir, 'postgres'), log })
  const first = await start()
  await createDatabaseIfMissing({ ...first.address, database: 'postgres' }, DATABASE_NAME)
  await migrate({ ...first.address, database: DATABASE_NAME })
  await first.release()
  const emptyInstallation = join(dir, 'empty-installation')
  await copy('cp', ['-a', join(dir, 'postgres'), emptyInstallation])

  const postgres = await start()
  const sql = connect({ ...postgres.address, database: 'postgres' }, { max: 1 })
  for (const setting of FOR_CRASHES) await sql`alter system set ${sql(setting)} = off`
  await sql`select pg_reload_conf()`
  await sql`alter database ${sql(DATABASE_NAME)} rename to ${sql(TEMPLATE)}`
  await sql.end()
  await cacheCatalog({ ...postgres.address, database: TEMPLATE })
  project.provide('postgres', postgres.address)
  project.provide('emptyInstallation', emptyInstallation)
  project.provide('greetings', greetings)
  const speaker = await startSharedSpeaker()
  project.provide('speakerPort', speaker.port)
  return async () => {
    await speaker.close()
    await postgres.release()
    await rm(dir, { recursive: true, force: true })
  }
}

/**
 * The first connection to a database reads its catalog and writes a file from which the next ones start. A clone has the
 * file of its template.
 */
async function cacheCatalog(address: DatabaseAddress): Promise<void> {
  const sql = connect(address, { max: 1 })
  await sql`select 1`
  await sql.end()
}
