import { expect, test } from 'vitest'
import { z } from 'zod'

import { afterFile } from '../../../test/harness/after-file.ts'
import { cloneDatabase } from '../../../test/harness/index.ts'
import { createLog } from '../log.ts'
import { enqueue, handleJob, jobKind } from './job.ts'
import { releaseStaleLocksJob } from './stale-locks.ts'
import { drainJobs } from './worker.ts'

test('jobs of a dead worker are run by another, and running jobs are left alone', async () => {
  const { db, drop } = await cloneDatabase()
  afterFile(async () => {
    await db.close()
    await drop()
  })
  const done: string[] = []
  const urgent = jobKind('tests.urgent', z.object({ name: z.string() }))
  const patient = jobKind('tests.patient', z.object({ name: z.string() }))
  const handlers = [
    handleJob(urgent, async ({ name }) => void done.push(name), { urgent: true }),
    handleJob(patient, async ({ name }) => void done.push(name)),
  ]
  handlers.push(releaseStaleLocksJob(db.sql, handlers))
  const begin = async (kind: typeof urgent, name: string, seconds: number) => {
    await db.tx((tx) => enqueue(tx, kind, { name }))
    await db.sql`
      update graphile_worker._private_jobs
      set locked_by = ${`worker of ${name}`}, locked_at = now() - make_interval(secs => ${seconds})
      where payload ->> 'name' = ${name}`
  }
  await begin(urgent, 'abandoned', 600)
  await begin(urgent, 'under way', 5)
  await begin(patient, 'slow', 600)
  await begin(patient, 'abandoned too', 1_000)
  const drain = () => drainJobs({ address: db.address, handlers, log: createLog({ level: 'silent' }) })
  await drain()
  expect(done).toEqual([])
  // As the schedule does every minute.
  await db.sql`select graphile_worker.add_job('jobs.rescue_urgent')`
  await drain()
  await drain()
  expect(done.toSorted()).toEqual(['abandoned', 'abandoned too'])
})
