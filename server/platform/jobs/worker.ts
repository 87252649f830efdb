import { Logger, parseCronItems, type RunnerOptions, run, runOnce } from 'graphile-worker'

import type { DatabaseAddress } from '../db/address.ts'
import type { Log } from '../log.ts'
import type { JobHandler, Schedule } from './job.ts'
import { openJobPool } from './pool.ts'

const LIMITS = { jobsAtOnce: 4, poolSize: 6, pollMs: 2_000 }

/** As crontab writes it. Not on the hour, when everything else does its work. */
const SCHEDULES: Record<Schedule, string> = { hourly: '17 * * * *' }

export interface Worker {
  /** Lets running jobs finish; may be called twice. */
  stop(): Promise<void>
}

interface WorkerOptions {
  address: DatabaseAddress
  handlers: JobHandler[]
  log: Log
}

export async function startWorker({ address, handlers, log }: WorkerOptions): Promise<Worker> {
  const pool = openJobPool(address, LIMITS.poolSize)
  const runner = await run({
    ...sharedOptions(handlers, log),
    pgPool: pool,
    concurrency: LIMITS.jobsAtOnce,
    pollInterval: LIMITS.pollMs,
    parsedCronItems: scheduleOf(handlers),
    // main.ts owns the signals and stops the parts in their order.
    noHandleSignals: true,
  })
  let stopping: Promise<void> | undefined
  const stop = async () => {
    await runner.stop()
    await pool.end()
  }
  return { stop: () => (stopping ??= stop()) }
}

/** However many workers there are, what is scheduled is done by one. */
function scheduleOf(handlers: JobHandler[]) {
  return parseCronItems(
    handlers.flatMap(({ name, schedule }) => (schedule ? [{ task: name, match: SCHEDULES[schedule] }] : [])),
  )
}

/** Does every job that is due, then returns. */
export async function drainJobs({ address, handlers, log }: WorkerOptions): Promise<void> {
  const pool = openJobPool(address, LIMITS.poolSize)
  try {
    await runOnce({ ...sharedOptions(handlers, log), pgPool: pool })
  } finally {
    await pool.end()
  }
}

function sharedOptions(handlers: JobHandler[], log: Log): RunnerOptions {
  return {
    taskList: Object.fromEntries(handlers.map(({ name, run }) => [name, (payload: unknown) => run(payload)])),
    logger: new Logger((scope) => (level, message) => {
      const details = { job: scope.taskIdentifier, jobId: scope.jobId }
      if (level === 'error') log.error(details, message)
      else if (level === 'warning') log.warn(details, message)
      else log.debug(details, message)
    }),
  }
}
