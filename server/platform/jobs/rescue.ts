import { z } from 'zod'

import type { Sql } from '../db/database.ts'
import { handleJob, type JobHandler, jobKind } from './job.ts'

/** Urgent work is done in seconds: what has taken this long was begun by a worker that died. */
const URGENT_MS_MAX = 60_000

const rescueUrgent = jobKind('jobs.rescue_urgent', z.object({}))

/** The job library gives the work of a dead worker to another only after hours. */
export function rescueJob(sql: Sql, handlers: JobHandler[]): JobHandler {
  const names = handlers.filter(({ urgent }) => urgent).map(({ name }) => name)
  const rescue = async () => {
    // A slot for urgent work does nothing else, so whatever it holds may go.
    await sql`
      select graphile_worker.force_unlock_workers(array_agg(locked_by)) from graphile_worker.jobs
      where task_identifier = any(${names}) and locked_at < now() - make_interval(secs => ${URGENT_MS_MAX / 1000})
      having count(*) > 0`
  }
  return handleJob(rescueUrgent, rescue, { schedule: 'every_minute', urgent: true })
}
