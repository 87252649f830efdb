import { z } from 'zod'

import type { Sql } from '../db/database.ts'
import { handleJob, type JobHandler, jobKind } from './job.ts'

/** What has taken longer was begun by a worker that died. Urgent work is done in seconds, the rest in minutes. */
const LIMITS = { urgentSeconds: 60, otherSeconds: 15 * 60 }

const rescueAbandoned = jobKind('jobs.rescue_urgent', z.object({}))

/** The job library gives the work of a dead worker to another only after hours. */
export function rescueJob(sql: Sql, handlers: JobHandler[]): JobHandler {
  const urgent = handlers.filter((handler) => handler.urgent).map(({ name }) => name)
  const rescue = async () => {
    // A worker of the library does one job at a time: nothing else is taken from it.
    await sql`
      select graphile_worker.force_unlock_workers(array_agg(locked_by)) from graphile_worker.jobs
      where locked_at < now() - make_interval(secs =>
        case when task_identifier = any(${urgent}) then ${LIMITS.urgentSeconds}::int else ${LIMITS.otherSeconds}::int end)
      having count(*) > 0`
  }
  return handleJob(rescueAbandoned, rescue, { schedule: 'every_minute', urgent: true })
}
