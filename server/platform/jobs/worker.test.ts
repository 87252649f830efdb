import { join } from 'node:path'
import { Writable } from 'node:stream'

import { expect, inject, test, vi } from 'vitest'
import { z } from 'zod'

import { afterFile } from '../../../test/harness/after-file.ts'
import { cloneDatabase } from '../../../test/harness/index.ts'
import { startPostgresProxy } from '../../../test/harness/processes/postgres-proxy.ts'
import { createLog } from '../log.ts'
import { enqueue, handleJob, jobKind } from './job.ts'
import { startWorker } from './worker.ts'

const silent = createLog({ level: 'error', destination: new Writable({ write: (_, __, done) => done() }) })
const kind = jobKind('test.outage', z.object({ fails: z.boolean() }))

// An unhandled rejection would end the service, and fails this run.
test.each([
  ['done', false],
  ['failed', true],
])(
  'the result of a job that was %s during an outage of the database is stored afterwards',
  async (_, fails) => {
    const { db, drop } = await cloneDatabase()
    const { host, port } = inject('postgres')
    const proxy = await startPostgresProxy(join(host, `.s.PGSQL.${port}`))
    // Every query and every new connection of the job library's driver contains this byte.
    const everything = { word: '\0', when: 'before it is heard', how: 'end' } as const
    let runs = 0
    const away = handleJob(kind, async (payload) => {
      // A failed job is retried, perhaps when the worker is about to stop.
      if (runs++ === 0) proxy.breakAll(everything, Infinity)
      if (payload.fails) throw new Error('as asked')
    })
    const address = { ...db.address, ...proxy.address }
    const worker = await startWorker({ address, handlers: [away], log: silent })
    afterFile(async () => {
      await worker.stop()
      await db.close()
      await drop()
    })

    await db.tx((tx) => enqueue(tx, kind, { fails }))
    const before = proxy.refusals()
    await vi.waitFor(() => expect(proxy.refusals()).toBeGreaterThan(before), { timeout: 30_000 })
    proxy.breakAll(everything, 0)
    const jobs = () => db.sql<{ locked_at: Date | null; last_error: string | null }[]>`
    select locked_at, last_error from graphile_worker._private_jobs`
    const stored = fails ? [{ locked_at: null, last_error: 'as asked' }] : []
    await vi.waitFor(async () => expect([...(await jobs())]).toEqual(stored), { timeout: 30_000 })
  },
)

/** Statement timeout, disk full, read-only, I/O error, terminated by an administrator. */
const REFUSALS = ['57014', '53100', '25006', '58030', '57P01']

test.each([
  ['done', false],
  ['failed', true],
])(
  'the result of a job that was %s while the database rejects writes is stored afterwards',
  async (_, fails) => {
    const { db, drop } = await cloneDatabase()
    const code = jobKind('test.refusal', z.object({ code: z.string() }))
    const refused = handleJob(code, async () => {
      if (fails) throw new Error('as asked')
    })
    const worker = await startWorker({ address: db.address, handlers: [refused], log: silent })
    afterFile(async () => {
      await worker.stop()
      await db.close()
      await drop()
    })
    // The payload of a job has the code with which its first result is rejected.
    await db.sql.unsafe(`
    create sequence refusals;
    create function refuse() returns trigger language plpgsql as $$
    begin
      if old.locked_at is not null and nextval('refusals') <= ${REFUSALS.length} then
        raise exception 'refused' using errcode = old.payload->>'code';
      end if;
      return coalesce(new, old);
    end $$;
    create trigger refuse before delete or update of last_error on graphile_worker._private_jobs
    for each row execute function refuse()`)
    for (const each of REFUSALS) await db.tx((tx) => enqueue(tx, code, { code: each }))
    const jobs = () => db.sql<{ locked_at: Date | null; last_error: string | null }[]>`
    select locked_at, last_error from graphile_worker._private_jobs`
    const stored = fails ? REFUSALS.map(() => ({ locked_at: null, last_error: 'as asked' })) : []
    await vi.waitFor(async () => expect([...(await jobs())]).toEqual(stored), { timeout: 60_000 })
    const [row] = await db.sql`select last_value >= ${REFUSALS.length} as "were refused" from refusals`
    expect(row).toEqual({ 'were refused': true })
  },
)

test('jobs continue when the job library stops by itself', async () => {
  const { db, drop } = await cloneDatabase()
  let done = 0
  const counted = jobKind('test.counted', z.object({}))
  const worker = await startWorker({
    address: db.address,
    handlers: [
      handleJob(counted, async () => void done++),
      handleJob(jobKind('test.urgent', z.object({})), async () => {}, { urgent: true }),
    ],
    log: silent,
  })
  afterFile(async () => {
    await worker.stop()
    await db.close()
    await drop()
  })
  const jobsListening = async () => {
    const rows = await db.sql`
      select from pg_stat_activity
      where datname = current_database() and query like 'LISTEN "jobs:insert"%' and state = 'idle'`
    return rows.length
  }
  await expect.poll(jobsListening).toBe(2)
  // The notification of a later version of the library when it changes its tables.
  await db.sql`select pg_notify('worker:migrate', '{"breaking": true, "migrationNumber": 99}')`
  await expect.poll(jobsListening).toBe(0)
  await db.tx((tx) => enqueue(tx, counted, {}))
  await expect.poll(() => done).toBe(1)
})

test('a job runs when its time comes, and one of which no worker was notified soon', async () => {
  const { db, drop } = await cloneDatabase()
  const done: string[] = []
  const named = jobKind('test.named', z.object({ name: z.string() }))
  const handlers = [handleJob(named, async ({ name }) => void done.push(name))]
  const worker = await startWorker({ address: db.address, handlers, log: silent })
  afterFile(async () => {
    await worker.stop()
    await db.close()
    await drop()
  })
  const runAt = new Date(Date.now() + 2_000)
  await db.tx((tx) => enqueue(tx, named, { name: 'later' }, { runAt }))
  await expect.poll(() => done, { timeout: 30_000, interval: 20 }).toEqual(['later'])
  expect(Date.now()).toBeGreaterThanOrEqual(runAt.getTime())
  await db.sql`
    insert into graphile_worker._private_jobs (task_id, payload)
    select id, '{"name": "unannounced"}' from graphile_worker._private_tasks where identifier = ${named.name}`
  await expect.poll(() => done, { timeout: 30_000, interval: 20 }).toEqual(['later', 'unannounced'])
})
