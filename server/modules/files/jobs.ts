import { z } from 'zod'

import { handleJob, type JobHandler, jobKind } from '../../platform/jobs/job.ts'
import type { Storage } from '../../providers/storage/port.ts'

/** Deletes a stored file after its row was deleted. */
export const removeFile = jobKind('files.remove', z.object({ key: z.string() }))

export const fileJobs = ({ storage }: { storage: Storage }): JobHandler[] => [
  handleJob(removeFile, ({ key }) => storage.remove(key)),
]
