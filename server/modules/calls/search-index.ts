import type { z } from 'zod'

import type { Embedder } from '../../embeddings/port.ts'
import type { Database, Tx } from '../../platform/db/database.ts'
import { enqueue, handleJob, type JobHandler } from '../../platform/jobs/job.ts'
import { indexCalls } from './jobs.ts'
import { meaningJobs } from './meanings/embed-calls.ts'
import { updateCallContext, updateCallWords } from './queries.ts'
import { DIRECTIONS } from './schemas.ts'

const LIMITS = { contextCharacters: 20_000 }

/** Small enough that a batch of hour-long transcriptions takes seconds, not a minute. */
const BATCH_SIZE = 200

/** To be called when the number's language changes: transcriptions are found by words as that language bends them. */
export async function orderCallIndex(tx: Tx, companyId: string, numberId: string): Promise<void> {
  for (const direction of DIRECTIONS) await enqueue(tx, indexCalls, { companyId, numberId, direction })
}

/**
 * To be called when caller context is saved with a call: from then on the call is found by what the context says, once
 * it has a transcription. What was saved before is replaced; null takes it away.
 */
export async function saveCallContextWords(
  tx: Tx,
  companyId: string,
  callId: string,
  text: string | null,
): Promise<void> {
  await updateCallContext(tx, companyId, callId, text?.slice(0, LIMITS.contextCharacters) ?? null)
}

export const callJobs = ({
  db,
  embedder,
}: {
  db: Database
  embedder: Embedder | undefined
}): JobHandler[] => [
  handleJob(indexCalls, (batch) => db.tx((tx) => indexBatch(tx, batch))),
  ...meaningJobs({ db, embedder }),
]

/** The next batch is ordered in the same transaction: a worker that dies loses no call. */
async function indexBatch(tx: Tx, batch: z.output<typeof indexCalls.payload>): Promise<void> {
  const beforeId = await updateCallWords(tx, batch, BATCH_SIZE)
  if (beforeId) await enqueue(tx, indexCalls, { ...batch, beforeId })
}
