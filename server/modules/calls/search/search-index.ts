import { z } from 'zod'

import type { Database, Tx } from '../../../platform/db/database.ts'
import { enqueue, handleJob, type JobHandler, jobKind } from '../../../platform/jobs/job.ts'
import { CALL_LIMITS } from '../limits.ts'
import { DIRECTIONS } from '../schemas.ts'
import { reindexCalls, updateCallContext } from './index-queries.ts'

/** A batch of hour-long transcriptions takes seconds, not a minute. */
const BATCH_SIZE = 200

/** Reindexes a number's calls in batches, starting with the newest before `beforeId`. */
export const indexCalls = jobKind(
  'calls.index',
  z.object({
    companyId: z.uuid(),
    numberId: z.uuid(),
    direction: z.enum(DIRECTIONS),
    beforeId: z.uuid().optional(),
  }),
)

/** Must be called when a number's language changes, because words are indexed by their stems in that language. */
export async function enqueueCallIndex(tx: Tx, companyId: string, numberId: string): Promise<void> {
  for (const direction of DIRECTIONS) await enqueue(tx, indexCalls, { companyId, numberId, direction })
}

/**
 * Must be called when caller context is saved with a call. The call is then also found by its context, once it has a
 * transcription. The text replaces an earlier one; null removes it.
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

/** The next batch is enqueued in the same transaction, so a worker that dies skips no call. */
async function indexBatch(tx: Tx, batch: z.output<typeof indexCalls.payload>): Promise<void> {
  const beforeId = await reindexCalls(tx, batch, BATCH_SIZE)
  if (beforeId) await enqueue(tx, indexCalls, { ...batch, beforeId })
}
