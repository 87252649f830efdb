import { z } from 'zod'

import { jobKind } from '../../../platform/jobs/job.ts'

/** Makes the vectors of a call whose text has changed. */
export const embedCall = jobKind('calls.embed', z.object({ companyId: z.uuid(), callId: z.uuid() }))

/** Divides a cell of vectors that has become too large. */
export const splitCell = jobKind('calls.split_cell', z.object({ companyId: z.uuid(), cell: z.int() }))

/** Orders vectors that are still missing, or that another model has made. */
export const sweepEmbeddings = jobKind('calls.sweep_meanings', z.object({}))
