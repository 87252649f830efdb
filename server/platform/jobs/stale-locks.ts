import { z } from 'zod'

import type { Sql } from '../db/database.ts'
import { PLATFORM_LIMITS } from '../limits.ts'
import { handleJob, type JobHandler, jobKind } from './job.ts'
import { unlockAbandoned } from './queries.ts'

const rescueAbandoned = jobKind('jobs.rescue_urgent', z.object({}))

/** The job library releases the jobs of a dead worker only after hours. */
export function releaseStaleLocksJob(sql: Sql, handlers: JobHandler[]): JobHandler {
  const urgent = handlers.filter((handler) => handler.urgent).map(({ name }) => name)
  const { urgentJobSeconds: urgentSeconds, otherJobSeconds: otherSeconds } = PLATFORM_LIMITS
  const rescue = () => unlockAbandoned(sql, urgent, { urgentSeconds, otherSeconds })
  return handleJob(rescueAbandoned, rescue, { schedule: 'every_minute', urgent: true })
}
