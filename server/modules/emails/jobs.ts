import { z } from 'zod'

import type { Dependencies } from '../../platform/dependencies.ts'
import { handleJob, type JobHandler, jobKind } from '../../platform/jobs/job.ts'
import { deleteRefilled } from './queries.ts'

const cleanUp = jobKind('letters.clean_up', z.unknown())

export const emailJobs = ({ db, clock }: Dependencies<'db' | 'clock'>): JobHandler[] => [
  handleJob(cleanUp, () => db.tx((tx) => deleteRefilled(tx, clock.now())), { schedule: 'hourly' }),
]
