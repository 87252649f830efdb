import { expect, test } from 'vitest'
import { z } from 'zod'

import { afterFile } from '../../../test/harness/after-file.ts'
import { cloneDatabase } from '../../../test/harness/index.ts'
import { PLATFORM_LIMITS } from '../limits.ts'
import { createLog } from '../log.ts'
import { companyJobHandlers } from './company-jobs.ts'
import { companyJobKind, enqueueForCompany, handleCompanyJob } from './job.ts'
import { drainJobs, startWorker } from './worker.ts'

const log = createLog({ level: 'silent' })
const named = companyJobKind('test.named', z.object({ companyId: z.uuid(), name: z.string() }))

async function fixture(run: (name: string) => Promise<void>) {
  const { db, drop } = await cloneDatabase()
  afterFile(async () => {
    await db.close()
    await drop()
  })
  const companies = await db.sql<{ id: string }[]>`
    insert into companies (name, country) values ('One', 'DK'), ('Other', 'DK') returning id`
  const [busy, quiet] = companies.map(({ id }) => id).toSorted() as [string, string]
  const handlers = [handleCompanyJob(named, ({ name }) => run(name))]
  handlers.push(...companyJobHandlers(db.sql, handlers))
  const add = (companyId: string, names: string[]) =>
    db.tx(async (tx) => {
      for (const name of names) await enqueueForCompany(tx, named, { companyId, name })
    })
  const left = async () =>
    (await db.sql`select from company_jobs`).length + (await db.sql`select from graphile_worker.jobs`).length
  const options = { address: db.address, handlers, log }
  return { db, busy, quiet, add, left, drain: () => drainJobs(options), start: () => startWorker(options) }
}

/** The jobs of the busy company wait to be released. */
async function stuckFixture() {
  const done: string[] = []
  let release!: () => void
  const released = new Promise<void>((resolve) => (release = resolve))
  const { start, ...parts } = await fixture(async (name) => {
    if (name.startsWith('busy')) await released
    done.push(name)
  })
  const startUntilOver = async () => {
    const worker = await start()
    // It waits for running jobs.
    afterFile(() => {
      release()
      return worker.stop()
    })
  }
  return { ...parts, done, release, startUntilOver }
}

const WITHIN = { timeout: 60_000 }
const many = (count: number) => Array.from({ length: count }, (_, i) => `busy ${i}`)

test('companies take turns, however many jobs one of them has', async () => {
  const done: string[] = []
  const { busy, quiet, add, drain, left } = await fixture(async (name) => void done.push(name))
  await add(busy, many(20))
  await add(quiet, ['quiet 0', 'quiet 1'])
  await drain()
  expect(done.slice(0, 4)).toEqual(['busy 0', 'quiet 0', 'busy 1', 'quiet 1'])
  expect(done.toSorted()).toEqual([...many(20), 'quiet 0', 'quiet 1'].toSorted())
  expect(await left()).toBe(0)
})

test('a company whose jobs do not end leaves slots to the others, and all of its jobs are run once', async () => {
  const { busy, quiet, add, startUntilOver, left, done, release } = await stuckFixture()
  await add(busy, many(40))
  await startUntilOver()
  await add(quiet, ['quiet'])
  await expect.poll(() => done, WITHIN).toEqual(['quiet'])
  release()
  await expect.poll(() => done.length, WITHIN).toBe(41)
  await expect.poll(left, WITHIN).toBe(0)
  expect(new Set(done).size).toBe(41)
})

test('a company leaves slots to the others even if all slots look for a job at the same moment', async () => {
  const { db, busy, quiet, add, startUntilOver, done } = await stuckFixture()
  await add(busy, many(40))
  await db.tx(async (tx) => {
    await tx`lock table company_jobs in exclusive mode`
    await startUntilOver()
    const turnsTaken = async () =>
      (await tx`select from graphile_worker.jobs where locked_at is not null`).length
    await expect.poll(turnsTaken, WITHIN).toBe(PLATFORM_LIMITS.urgentJobsAtOnce)
    const claimsWaiting = async () => (await tx`select from pg_locks where not granted`).length
    await expect.poll(claimsWaiting, WITHIN).toBeGreaterThan(0)
  })
  await add(quiet, ['quiet'])
  await expect.poll(() => done, WITHIN).toEqual(['quiet'])
})

test('a failed job is repeated later, and one whose turn was lost gets another', async () => {
  const tried: string[] = []
  const { db, busy, quiet, add, drain, left } = await fixture(async (name) => {
    tried.push(name)
    if (name === 'fails' && tried.length < 3) throw new Error('as asked')
  })
  await add(busy, ['fails'])
  await add(quiet, ['works'])
  await drain()
  expect(tried).toEqual(['fails', 'works'])
  // As if the worker that had the turn were gone for long.
  await db.sql`select graphile_worker.complete_jobs(array_agg(id)) from graphile_worker.jobs`
  await db.sql`update company_jobs set due_at = now() - interval '2 minutes'`
  await drain()
  expect(tried).toHaveLength(2)
  // As the schedule does every minute.
  await db.sql`select graphile_worker.add_job('jobs.rescue_of_companies')`
  await drain()
  expect(tried).toEqual(['fails', 'works', 'fails'])
  expect(await left()).toBe(0)
})
