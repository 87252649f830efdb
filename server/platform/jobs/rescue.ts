import { z } from 'zod'

import type { Sql } from '../db/database.ts'
import { handleJob, type JobHandler, jobKind } from './job.ts'
import { unlockAbandoned } from './queries.ts'

/** What has taken longer was begun by a worker that died. Urgent work is done in seconds, the rest in minutes. */
const LIMITS = { urgentSeconds: 60, otherSeconds: 15 * 60 }

const rescueAbandoned = jobKind('jobs.rescue_urgent', z.object({}))

/** The job library gives the work of a dead worker to another only after hours. */
export function rescueJob(sql: Sql, handlers: JobHandler[]): JobHandler {
  const urgent = handlers.filter((handler) => handler.urgent).map(({ name }) => name)
  const rescue = () => unlockAbandoned(sql, urgent, LIMITS)
  return handleJob(rescueAbandoned, rescue, { schedule: 'every_minute', urgent: true })
}
