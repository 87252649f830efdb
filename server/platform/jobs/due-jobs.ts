import type { Pool } from 'pg'

import { inBackground } from '../background.ts'
import { systemClock } from '../clock.ts'
import { PLATFORM_LIMITS } from '../limits.ts'
import type { Log } from '../log.ts'
import { NOTIFY_OF_DUE_JOBS } from './queries.ts'

/**
 * Wakes the job library when the time of a job has come, or when a notification of one was lost. The library could do
 * so by itself, but each of its slots would ask the database on its own, all the time.
 */
export function watchDueJobs(pool: Pool, log: Log): () => Promise<void> {
  const slots = PLATFORM_LIMITS.jobsAtOnce + PLATFORM_LIMITS.urgentJobsAtOnce
  let isStopped = false
  let callOff: (() => void) | undefined
  let looking = Promise.resolve()

  async function look(): Promise<void> {
    let nextMs = PLATFORM_LIMITS.jobPollMs
    try {
      const { rows } = await pool.query(NOTIFY_OF_DUE_JOBS, [slots, PLATFORM_LIMITS.jobPollMs / 1_000])
      nextMs = (rows[0] as { next_ms: number | null }).next_ms ?? nextMs
    } catch (err) {
      log.debug({ err }, 'the query for due jobs failed and will be retried')
    }
    if (!isStopped) callOff = systemClock.after(nextMs, start)
  }

  function start(): void {
    looking = look()
    inBackground(log, 'look for due jobs', looking)
  }
  start()

  return async () => {
    isStopped = true
    callOff?.()
    await looking
  }
}
