import { Logger, parseCronItems, type RunnerOptions, run, runOnce } from 'graphile-worker'

import { noteActivity } from '../activity.ts'
import type { DatabaseAddress } from '../db/address.ts'
import { PLATFORM_LIMITS } from '../limits.ts'
import type { Log } from '../log.ts'
import { watchDueJobs } from './due-jobs.ts'
import type { JobHandler, Schedule } from './job.ts'
import { openJobPool } from './pool.ts'
import { startRestartingRunner } from './restarting-runner.ts'

/** As crontab writes it (not on the hour, when everything else does its work), and how far back it is made up for. */
const SCHEDULES: Record<Schedule, { match: string; missedMs: number }> = {
  hourly: { match: '17 * * * *', missedMs: 60 * 60 * 1000 },
  every_minute: { match: '* * * * *', missedMs: 0 },
}

export interface Worker {
  /** Waits for running jobs; may be called twice. */
  stop(): Promise<void>
}

interface WorkerOptions {
  address: DatabaseAddress
  handlers: JobHandler[]
  log: Log
}

export async function startWorker({ address, handlers, log }: WorkerOptions): Promise<Worker> {
  const stopped = new AbortController()
  const pool = openJobPool(address, { max: PLATFORM_LIMITS.jobPoolSize, untilStopped: stopped.signal })
  const start = (some: JobHandler[], concurrency: number, schedule: JobHandler[]) =>
    startRestartingRunner(
      () =>
        run({
          ...sharedOptions(some, log),
          pgPool: pool,
          concurrency,
          pollInterval: PLATFORM_LIMITS.jobSlotPollMs,
          parsedCronItems: scheduleOf(schedule),
          // main.ts handles the signals and stops the parts in order.
          noHandleSignals: true,
        }),
      log,
    )
  const urgent = handlers.filter((handler) => handler.urgent)
  const others = handlers.filter((handler) => !handler.urgent)
  const runners = [await start(others, PLATFORM_LIMITS.jobsAtOnce, handlers)]
  if (urgent.length > 0) runners.push(await start(urgent, PLATFORM_LIMITS.urgentJobsAtOnce, []))
  const stopWatching = watchDueJobs(pool, log)
  let stopping: Promise<void> | undefined
  const stop = async () => {
    stopped.abort()
    await stopWatching()
    await Promise.all(runners.map((runner) => runner.stop()))
    await pool.end()
  }
  return { stop: () => (stopping ??= stop()) }
}

/** However many workers there are, one of them runs each scheduled job. */
function scheduleOf(handlers: JobHandler[]) {
  const items = handlers.flatMap(({ name, schedule }) => {
    if (!schedule) return []
    const { match, missedMs } = SCHEDULES[schedule]
    return [{ task: name, match, options: { backfillPeriod: missedMs } }]
  })
  return parseCronItems(items)
}

/** Runs every job that is due, then returns. */
export async function drainJobs({ address, handlers, log }: WorkerOptions): Promise<void> {
  const pool = openJobPool(address, { max: PLATFORM_LIMITS.jobPoolSize })
  try {
    await runOnce({ ...sharedOptions(handlers, log), pgPool: pool })
  } finally {
    await pool.end()
  }
}

const taskOf =
  ({ name, run }: JobHandler) =>
  (payload: unknown) => {
    noteActivity(`job ${name}`)
    return run(payload)
  }

function sharedOptions(handlers: JobHandler[], log: Log): RunnerOptions {
  return {
    taskList: Object.fromEntries(handlers.map((handler) => [handler.name, taskOf(handler)])),
    logger: new Logger((scope) => (level, message) => {
      const details = { job: scope.taskIdentifier, jobId: scope.jobId }
      if (level === 'error') log.error(details, message)
      else if (level === 'warning') log.warn(details, message)
      else log.debug(details, message)
    }),
  }
}
