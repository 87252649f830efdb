import { handleJob, type JobHandler } from '../../platform/jobs/job.ts'
import { lookUpAndSave } from './calls.ts'
import { forgetLookUps, lookUpCaller } from './jobs.ts'
import type { LookUpParts } from './lookup/look-up.ts'
import { deleteStaleLookUps } from './queries.ts'

export const contextJobs = (parts: LookUpParts): JobHandler[] => [
  handleJob(lookUpCaller, (call) => lookUpAndSave(parts, call), { urgent: true }),
  handleJob(forgetLookUps, () => deleteStaleLookUps(parts.db.sql, parts.clock.now()), { schedule: 'hourly' }),
]
