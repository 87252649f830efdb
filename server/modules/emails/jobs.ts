import { z } from 'zod'

import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/db/database.ts'
import { handleJob, type JobHandler, jobKind } from '../../platform/jobs/job.ts'
import { deleteRefilled } from './queries.ts'

const cleanUp = jobKind('letters.clean_up', z.unknown())

export const emailJobs = ({ db, clock }: { db: Database; clock: Clock }): JobHandler[] => [
  handleJob(cleanUp, () => db.tx((tx) => deleteRefilled(tx, clock.now())), { schedule: 'hourly' }),
]
