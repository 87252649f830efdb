import { z } from 'zod'

import type { Database } from '../../platform/db/database.ts'
import { handleJob, type JobHandler, jobKind } from '../../platform/jobs/job.ts'
import { deleteOldCommands } from './command-queries.ts'
import { EDGE_LIMITS } from './limits.ts'

/** Deletes old commands. */
const cleanUpCommands = jobKind('edges.clean_up', z.object({}))

export const edgeJobs = ({ db }: { db: Database }): JobHandler[] => [
  handleJob(cleanUpCommands, () => deleteOldCommands(db.sql, EDGE_LIMITS.commandSeconds), {
    schedule: 'hourly',
  }),
]
