import { handleCompanyJob, handleJob, type JobHandler } from '../../platform/jobs/job.ts'
import { lookUpAndSave, type SaveParts } from './calls.ts'
import { expireLookUps, lookUpCaller } from './jobs.ts'
import { deleteStaleLookUps } from './queries.ts'

export const contextJobs = (parts: SaveParts): JobHandler[] => [
  handleCompanyJob(lookUpCaller, (call) => lookUpAndSave(parts, call)),
  handleJob(expireLookUps, () => deleteStaleLookUps(parts.db.sql, parts.clock.now()), { schedule: 'hourly' }),
]
