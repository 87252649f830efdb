import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import type { TestProject } from 'vitest/node'

import { connect } from '../../server/platform/db/database.ts'
import { migrate } from '../../server/platform/db/migrate.ts'
import { startEmbeddedPostgres } from '../../server/platform/embedded-postgres/index.ts'
import { createLog } from '../../server/platform/log.ts'
import { startSharedSpeaker } from './shared-speaker.ts'

export const TEMPLATE = 'bellhop_template'

/** Durability and background maintenance are off, because this PostgreSQL lives for a few minutes only. */
const FOR_CRASHES = ['fsync', 'full_page_writes', 'autovacuum']

declare module 'vitest' {
  interface ProvidedContext {
    postgres: { host: string; port: number; user: string }
    /** A folder of default greetings, which all installations share: each takes seconds to synthesise. */
    greetings: string
    /** Where shared-speaker.ts asks for speech. */
    speakerPort: number
  }
}

/** One PostgreSQL for the whole run, with a migrated database that every test file clones. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dir = await mkdtemp(join(tmpdir(), 'bellhop-test-'))
  // If run as root, PostgreSQL drops to another account, which must be able to enter the directory.
  await chmod(dir, 0o755)
  const greetings = join(dir, 'greetings')
  await mkdir(greetings)
  const postgres = await startEmbeddedPostgres({
    dir: join(dir, 'postgres'),
    log: createLog({ level: 'warn' }),
  })
  const sql = connect({ ...postgres.address, database: 'postgres' }, { max: 1 })
  for (const setting of FOR_CRASHES) await sql`alter system set ${sql(setting)} = off`
  await sql`select pg_reload_conf()`
  await sql`create database ${sql(TEMPLATE)}`
  await sql.end()
  await migrate({ ...postgres.address, database: TEMPLATE })
  project.provide('postgres', postgres.address)
  project.provide('greetings', greetings)
  const speaker = await startSharedSpeaker()
  project.provide('speakerPort', speaker.port)
  return async () => {
    await speaker.close()
    await postgres.release()
    await rm(dir, { recursive: true, force: true })
  }
}
