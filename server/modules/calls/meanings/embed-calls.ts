import { type Embedder, EMBEDDING_LIMITS } from '../../../embeddings/port.ts'
import type { Database } from '../../../platform/db/database.ts'
import { handleJob, type JobHandler } from '../../../platform/jobs/job.ts'
import { addEmbedding, splitFullCell } from './cells.ts'
import { chunksOf } from './chunks.ts'
import { embedCall, splitCell, sweepEmbeddings } from './jobs.ts'
import {
  deleteDueCall,
  deleteEmbeddings,
  deleteOutdatedCells,
  type DueCall,
  type DueCursor,
  enqueueDueAgain,
  enqueueOutdated,
  selectDueCall,
} from './queries.ts'
import { packVector, signsOf } from './vectors.ts'

const SWEEP_CALLS = 500

export interface EmbeddingJobParts {
  db: Database
  embedder: Embedder | undefined
}

/** Without an engine, calls stay due until there is one. */
export function embeddingJobs({ db, embedder }: EmbeddingJobParts): JobHandler[] {
  const withEmbedder = <P>(run: (embedder: Embedder, payload: P) => Promise<void>) =>
    async function (payload: P) {
      if (embedder) await run(embedder, payload)
    }
  return [
    handleJob(
      embedCall,
      withEmbedder((engine, { companyId, callId }) => embedDueCall(db, engine, companyId, callId)),
    ),
    handleJob(splitCell, ({ companyId, cell }) => db.tx((tx) => splitFullCell(tx, companyId, cell))),
    handleJob(
      sweepEmbeddings,
      withEmbedder((engine) => sweep(db, engine)),
      { schedule: 'hourly' },
    ),
  ]
}

async function embedDueCall(db: Database, embedder: Embedder, companyId: string, callId: string) {
  const due = await selectDueCall(db.sql, companyId, callId)
  if (!due) return
  const vectors = await embedAll(embedder, textsOf(due, embedder))
  await db.tx(async (tx) => {
    if (!(await deleteDueCall(tx, companyId, callId, due.change_id))) return
    await deleteEmbeddings(tx, companyId, callId)
    for (const [part, vector] of vectors.entries()) {
      const meaning = { callId, part, signs: signsOf(vector), vector: packVector(vector) }
      await addEmbedding(tx, companyId, embedder.model, meaning)
    }
  })
}

/** Vectors of a language that the engine does not know are all similar, and would match any query. */
function textsOf({ said, context_text, language }: DueCall, embedder: Embedder): string[] {
  if (said === null || !embedder.understands(language)) return []
  return [...chunksOf(said), ...chunksOf(context_text ?? '')]
}

async function embedAll(embedder: Embedder, texts: string[]): Promise<Float32Array[]> {
  const vectors: Float32Array[] = []
  for (let at = 0; at < texts.length; at += EMBEDDING_LIMITS.textsAtOnce)
    vectors.push(...(await embedder.embed(texts.slice(at, at + EMBEDDING_LIMITS.textsAtOnce))))
  return vectors
}

/** Works in batches. If the worker dies midway nothing is lost: the next hourly run starts over. */
async function sweep(db: Database, { model }: Embedder): Promise<void> {
  await db.tx((tx) => deleteOutdatedCells(tx, model))
  let outdated: number
  do outdated = await db.tx((tx) => enqueueOutdated(tx, model, SWEEP_CALLS))
  while (outdated === SWEEP_CALLS)
  let last: DueCursor | undefined
  do last = await db.tx((tx) => enqueueDueAgain(tx, last, SWEEP_CALLS))
  while (last)
}
