import { z } from 'zod'

import { handleJob, type JobHandler, jobKind } from '../../platform/jobs/job.ts'
import type { Storage } from '../../providers/storage/port.ts'

/** Removes a stored file once the row that named it is gone. */
export const removeFile = jobKind('files.remove', z.object({ key: z.string() }))

export const fileJobs = ({ storage }: { storage: Storage }): JobHandler[] => [
  handleJob(removeFile, ({ key }) => storage.remove(key)),
]
