import { expect, test } from 'vitest'
import { z } from 'zod'

import { cloneDatabase } from '../../../test/harness/index.ts'
import { createLog } from '../log.ts'
import { handleJob, jobKind } from './job.ts'
import { startWorker } from './worker.ts'

test('scheduled jobs run by themselves, also for hours without a worker, and once however many workers run', async () => {
  const { db, drop } = await cloneDatabase()
  const log = createLog({ level: 'silent' })
  const done: string[] = []
  const handlers = [
    handleJob(jobKind('tests.scheduled', z.object({})), async () => void done.push('scheduled'), {
      schedule: 'hourly',
    }),
    handleJob(jobKind('tests.asked_for', z.object({})), async () => void done.push('asked for')),
  ]
  const start = () => startWorker({ address: db.address, handlers, log })
  await (await start()).stop()
  expect(done).toEqual([])
  // As if the last run had been some hours ago.
  await db.sql`
    update graphile_worker._private_known_crontabs
    set known_since = now() - interval '1 day', last_execution = now() - interval '90 minutes'`
  const workers = [await start(), await start()]
  await expect.poll(() => done, { timeout: 30_000, interval: 20 }).toEqual(['scheduled'])
  for (const worker of workers) await worker.stop()
  expect(done).toEqual(['scheduled'])
  await db.close()
  await drop()
})
