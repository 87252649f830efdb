import { z } from 'zod'

import type { Database } from '../../platform/db/database.ts'
import { handleJob, type JobHandler, jobKind } from '../../platform/jobs/job.ts'
import { deleteOldCommands } from './command-queries.ts'

/** Nobody waits for the answer to a command for longer than a request lasts. */
const LIMITS = { commandSeconds: 3_600 }

/** Removes commands that have long been carried out. */
const cleanUpCommands = jobKind('edges.clean_up', z.object({}))

export const edgeJobs = ({ db }: { db: Database }): JobHandler[] => [
  handleJob(cleanUpCommands, () => deleteOldCommands(db.sql, LIMITS.commandSeconds), { schedule: 'hourly' }),
]
