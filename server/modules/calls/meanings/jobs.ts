import { z } from 'zod'

import { jobKind } from '../../../platform/jobs/job.ts'

/** Computes the embeddings of a call whose text has changed. */
export const embedCall = jobKind('calls.embed', z.object({ companyId: z.uuid(), callId: z.uuid() }))

/** Splits a cell that has become too large. */
export const splitCell = jobKind('calls.split_cell', z.object({ companyId: z.uuid(), cell: z.int() }))

/** Enqueues calls whose embeddings are missing or were computed by another model. */
export const sweepEmbeddings = jobKind('calls.sweep_meanings', z.object({}))
