import { z } from 'zod'

import type { Database, Tx } from '../../../platform/db/database.ts'
import { enqueue, handleJob, type JobHandler, jobKind } from '../../../platform/jobs/job.ts'
import { CALL_LIMITS } from '../limits.ts'
import { DIRECTIONS } from '../schemas.ts'
import { reindexCalls, updateCallContext } from './index-queries.ts'

/** Small enough that a batch of hour-long transcriptions takes seconds, not a minute. */
const BATCH_SIZE = 200

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

/** To be called when the number's language changes: transcriptions are found by words as that language bends them. */
export async function enqueueCallIndex(tx: Tx, companyId: string, numberId: string): Promise<void> {
  for (const direction of DIRECTIONS) await enqueue(tx, indexCalls, { companyId, numberId, direction })
}

/**
 * To be called when caller context is saved with a call: from then on the call is found by what the context says, once
 * it has a transcription. What was saved before is replaced; null takes it away.
 */
export async function indexCallContext(
  tx: Tx,
  companyId: string,
  callId: string,
  text: string | null,
): Promise<void> {
  await updateCallContext(tx, companyId, callId, text?.slice(0, CALL_LIMITS.contextCharacters) ?? null)
}

export const indexJobs = ({ db }: { db: Database }): JobHandler[] => [
  handleJob(indexCalls, (batch) => db.tx((tx) => indexBatch(tx, batch))),
]

/** The next batch is ordered in the same transaction: a worker that dies loses no call. */
async function indexBatch(tx: Tx, batch: z.output<typeof indexCalls.payload>): Promise<void> {
  const beforeId = await reindexCalls(tx, batch, BATCH_SIZE)
  if (beforeId) await enqueue(tx, indexCalls, { ...batch, beforeId })
}
