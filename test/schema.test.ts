import { join } from 'node:path'

import { beforeAll, expect, test } from 'vitest'

import { type Database, openDatabase } from '../server/platform/db/database.ts'
import { migrate } from '../server/platform/db/migrate.ts'
import { packageRoot } from '../server/platform/package-root.ts'
import { afterFile } from './harness/after-file.ts'
import { cloneDatabase } from './harness/index.ts'
import { startOutsidePostgres } from './harness/processes/outside-postgres.ts'
import { describeSchema, selectUndescribed } from './harness/routes/describe-schema.ts'

const SCHEMA_FILE = join(packageRoot, 'db', 'schema.sql')
const HEADER = `-- What the migrations add up to, to be read: migrations make it, and a test keeps it true.
-- After a new migration, \`npx vitest run test/schema.test.ts -u\` writes it anew.

`

let migrated: Database
let emptied: Database
beforeAll(async () => {
  const one = await cloneDatabase()
  const two = await cloneDatabase()
  migrated = one.db
  emptied = two.db
  // Dropping the schema drops the extensions in it.
  await emptied.sql`drop schema public cascade`
  await emptied.sql`create schema public`
  afterFile(async () => {
    for (const { db, drop } of [one, two]) {
      await db.close()
      await drop()
    }
  })
})

test('db/schema.sql is the result of the migrations', async () => {
  await expect(HEADER + (await describeSchema(migrated.sql))).toMatchFileSnapshot(SCHEMA_FILE)
})

test('db/schema.sql creates the same schema in an empty database', async () => {
  expect(await describeSchema(emptied.sql)).toBe('')
  // Not from the file, which `-u` writes only after the last test.
  await emptied.sql.unsafe(await describeSchema(migrated.sql))
  expect(await describeSchema(emptied.sql)).toBe(await describeSchema(migrated.sql))
})

test('on an external PostgreSQL 15 the migrations create the same schema', async () => {
  const outside = await startOutsidePostgres()
  try {
    const address = { url: await outside.newDatabase() }
    await migrate(address)
    const db = openDatabase(address, { poolSize: 1 })
    expect(await describeSchema(db.sql).finally(() => db.close())).toBe(await describeSchema(migrated.sql))
  } finally {
    await outside.stop()
  }
})

test('db/schema.sql omits nothing that the migrations create', async () => {
  expect(await selectUndescribed(migrated.sql)).toEqual([])
})

test.each([
  ['alter table contacts add column nickname text', 'nickname text'],
  ["alter table contacts alter column note set default 'none'", "note text default 'none'::text"],
  ['alter table contacts alter column note set not null', 'note text not null'],
  ['alter table contacts drop constraint contacts_phone', undefined],
  ['create index contacts_by_company on contacts (lower(company_name))', 'contacts_by_company'],
  ['drop trigger api_key_gone on api_keys', undefined],
  ['create sequence tickets', 'create sequence tickets as bigint'],
  ['create sequence tickets as integer', 'create sequence tickets as integer'],
  ['create extension citext', 'create extension citext'],
])('the description distinguishes a schema after: %s', async (change, shown) => {
  const before = await describeSchema(migrated.sql)
  const after = await rolledBack(migrated, async (tx) => {
    await tx.unsafe(change)
    return describeSchema(tx)
  })
  expect(after).not.toBe(before)
  if (shown) expect(after).toContain(shown)
})

test.each([
  ['create view newest as select 1'],
  ["create type mood as enum ('fine')"],
  ['create sequence tickets increment by 10'],
  ['create sequence tickets start with 1000'],
  ['create sequence tickets maxvalue 99'],
  ['create sequence tickets cycle'],
  ['alter table contacts add column serial integer generated always as identity'],
])('a change that the description cannot show is detected: %s', async (change) => {
  const undescribed = await rolledBack(migrated, async (tx) => {
    await tx.unsafe(change)
    return selectUndescribed(tx)
  })
  expect(undescribed).not.toEqual([])
})

async function rolledBack<T>(db: Database, run: Parameters<typeof db.tx<T>>[0]): Promise<T> {
  const back = new Error('rolled back')
  let result: T
  await db
    .tx(async (tx) => {
      result = await run(tx)
      throw back
    })
    .catch((error: unknown) => {
      if (error !== back) throw error
    })
  return result!
}
