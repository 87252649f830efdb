import { z } from 'zod'

import { jobKind } from '../../platform/jobs/job.ts'
import { DIRECTIONS } from './schemas.ts'

/** Reads the words of a number's calls anew, from the newest before `beforeId` on, a batch at a time. */
export const indexCalls = jobKind(
  'calls.index',
  z.object({
    companyId: z.uuid(),
    numberId: z.uuid(),
    direction: z.enum(DIRECTIONS),
    beforeId: z.uuid().optional(),
  }),
)
