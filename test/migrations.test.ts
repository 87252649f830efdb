import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { beforeAll, describe, expect, test, vi } from 'vitest'

import { connect, type Database } from '../server/platform/db/database.ts'
import { hashOfMigration, migrate, MIGRATIONS_DIR } from '../server/platform/db/migrate.ts'
import { OperatorError } from '../server/platform/errors.ts'
import { newestApplied } from '../server/platform/jobs/queries.ts'
import { NEWEST_MIGRATION } from '../server/platform/jobs/tables.ts'
import { afterFile } from './harness/after-file.ts'
import { cloneDatabase } from './harness/index.ts'
import { lockingStatements } from './upgrade/locking-statements.ts'

/** These two were applied before there was a check; no other number may be used twice. */
const TWINS = new Set(['0010-edges.sql', '0010-presence.sql'])

let db: Database
beforeAll(async () => {
  const clone = await cloneDatabase()
  db = clone.db
  afterFile(async () => {
    await db.close()
    await clone.drop()
  })
})

const migrations = async () => (await readdir(MIGRATIONS_DIR)).filter((name) => name.endsWith('.sql'))
const hashes = () => db.sql<{ name: string; hash: string | null }[]>`
  select name, hash from schema_migrations order by name`
const setHash = (name: string, hash: string | null) =>
  db.sql`update schema_migrations set hash = ${hash} where name = ${name}`

describe('the files', () => {
  test('have unique numbers', async () => {
    const numbers = (await migrations())
      .filter((name) => !TWINS.has(name))
      .map((name) => /^\d{4}(?=-[a-z0-9-]+\.sql$)/.exec(name)?.[0] ?? name)
    const taken = [...numbers, '0010'].toSorted()
    expect(taken).toEqual([...new Set(taken)])
    expect(numbers.filter((number) => !/^\d{4}$/.test(number))).toEqual([])
  })

  test('are unchanged since they were applied: db/migrations/sha256sums has the hash of each', async () => {
    const listed = (await readFile(join(MIGRATIONS_DIR, 'sha256sums'), 'utf8')).trimEnd().split('\n')
    const found: string[] = []
    for (const name of (await migrations()).toSorted()) {
      const hash = hashOfMigration(await readFile(join(MIGRATIONS_DIR, name), 'utf8'))
      found.push(`${hash}  ${name}`)
    }
    // A new one is added with: (cd db/migrations && sha256sum 0099-new.sql >> sha256sums). A line is never changed.
    expect(found).toEqual(listed.toSorted((a, b) => (a.slice(66) < b.slice(66) ? -1 : 1)))
  })
})

describe('a new migration', () => {
  /** Those up to here were applied when it was not checked. */
  const CHECKED_AFTER = '0061'

  test('does not lock a big table for as long as it takes to read it', async () => {
    const found: string[] = []
    for (const name of (await migrations()).filter((each) => each.slice(0, 4) > CHECKED_AFTER))
      for (const sentence of lockingStatements(await readFile(join(MIGRATIONS_DIR, name), 'utf8')))
        found.push(`${name}: ${sentence}`)
    expect(found).toEqual([])
  })

  test.each([
    'create index calls_late on calls (company_id, ended_at)',
    'create unique index if not exists messages_once on public.messages (id)',
    'alter table messages\n  alter column sms_count type integer',
    'alter table events alter name set data type text',
    'alter table contacts add constraint named check (name is not null)',
    'alter table contacts add foreign key (company_id) references companies',
    'alter table calls add column edge uuid references edges',
    'alter table calls add column token uuid not null default gen_random_uuid()',
    'alter table calls alter column note set not null',
    'alter table calls add constraint calls_once unique (control_id)',
    "update inbox_items set type = 'call'",
    'delete from webhook_deliveries where tries > 9',
  ])('is refused with: %s', (statement) => {
    expect(lockingStatements(`-- Why.\n${statement};\n`)).toHaveLength(1)
  })

  test.each([
    'create index concurrently calls_late on calls (company_id, ended_at)',
    'create index devices_late on devices (expires_at)',
    'alter table calls add column if not exists note text, add column noted boolean not null default false',
    'alter table contacts add constraint named check (name is not null) not valid',
    'alter table contacts validate constraint named',
    'alter table calls set (autovacuum_vacuum_scale_factor = 0.02)',
    'create function forget() returns void language sql as $$ delete from calls; $$',
    'create table waveforms (id uuid); create index waveforms_late on waveforms (id)',
  ])('may have: %s', (statement) => {
    expect(lockingStatements(`${statement};`)).toEqual([])
  })
})

const inSteps = async () => {
  const names: string[] = []
  for (const name of (await migrations()).toSorted()) {
    if ((await readFile(join(MIGRATIONS_DIR, name), 'utf8')).startsWith('-- In steps')) names.push(name)
  }
  return names
}

describe('a migration in steps', () => {
  test('is repeated by the next process if one ended in the middle of it', async () => {
    const names = await inSteps()
    expect(names).toContain('0049-words-of-old-contacts.sql')
    await db.sql`delete from schema_migrations where name = any(${names})`
    expect(await migrate(db.address)).toEqual(names)
  })

  test('is not in the way of processes that wait for it', async () => {
    const names = await inSteps()
    await db.sql`delete from schema_migrations where name = any(${names})`
    const applied = await Promise.all(Array.from({ length: 4 }, () => migrate(db.address)))
    expect(applied.flat()).toEqual(names)
  })
})

test('nobody waits behind a migration for a table that is read for long', async () => {
  await db.sql`delete from schema_migrations where name = '0060-further-numbers.sql'`
  const reader = connect(db.address, { max: 1 })
  const writer = connect(db.address, { max: 1, statement_timeout: 5_000 })
  try {
    const migrating = await reader.begin(async (tx) => {
      await tx`select from contacts limit 1`
      const migrated = migrate(db.address)
      await vi.waitFor(
        async () => {
          const waiting = await db.sql`
            select from pg_locks where relation = 'contacts'::regclass and mode = 'AccessExclusiveLock' and not granted`
          expect(waiting).toHaveLength(1)
        },
        { timeout: 30_000, interval: 5 },
      )
      await writer`update contacts set note = note`
      return { migrated }
    })
    expect(await migrating.migrated).toEqual(['0060-further-numbers.sql'])
  } finally {
    await reader.end()
    await writer.end()
  }
})

describe('the hash of a migration', () => {
  test('is in the database once it is applied, also if an older version has applied it', async () => {
    const all = await hashes()
    expect(all.map(({ name }) => name)).toEqual((await migrations()).toSorted())
    expect(all.filter(({ hash }) => !hash)).toEqual([])

    await setHash('0005-messages.sql', null)
    expect(await migrate(db.address)).toEqual([])
    expect(await hashes()).toEqual(all)
  })

  test('does not depend on line endings', () => {
    expect(hashOfMigration('select 1;\r\nselect 2;\r\n')).toBe(hashOfMigration('select 1;\nselect 2;\n'))
    expect(hashOfMigration('select 1;\n')).not.toBe(hashOfMigration('select 2;\n'))
  })

  test('prevents a start when the file has changed since', async () => {
    const before = await hashes()
    const edited = before.find(({ name }) => name === '0005-messages.sql')!
    await setHash(edited.name, hashOfMigration('what the file said when it was applied'))
    try {
      const refusal = migrate(db.address)
      await expect(refusal).rejects.toThrow(
        'db/migrations/0005-messages.sql was changed after it was applied to this database: restore the original file',
      )
      await expect(refusal).rejects.toBeInstanceOf(OperatorError)
    } finally {
      await setHash(edited.name, edited.hash)
    }
    expect(await migrate(db.address)).toEqual([])
  })
})

describe('the tables of jobs', () => {
  test('of an empty database are migrated to the version that a start checks for', async () => {
    // Fails after an upgrade of graphile-worker that adds a migration: set NEWEST_MIGRATION to its number.
    expect(await newestApplied(db.sql)).toBe(NEWEST_MIGRATION)
  })

  test('that an older version created are migrated', async () => {
    await db.sql`delete from graphile_worker.migrations where id = ${NEWEST_MIGRATION}`
    expect(await newestApplied(db.sql)).toBe(NEWEST_MIGRATION - 1)
    await migrate(db.address)
    expect(await newestApplied(db.sql)).toBe(NEWEST_MIGRATION)
  })
})
