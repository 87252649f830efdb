import { type Embedder, EmbeddingFailed } from '../../../embeddings/port.ts'
import { withTimeout } from '../../../platform/clock.ts'
import type { Queryable } from '../../../platform/db/database.ts'
import type { Dependencies } from '../../../platform/dependencies.ts'
import { CALL_LIMITS } from '../limits.ts'
import { cosine, signsOf, unpackVector } from '../meanings/vectors.ts'
import type { CallsWhere } from '../record/queries.ts'
import { findByKeywords, type Scored } from './keyword-queries.ts'
import { hasEmbeddings, selectNearest } from './nearest-queries.ts'

export interface SearchParts extends Dependencies<'clock' | 'log'> {
  sql: Queryable
  embedder: Embedder | undefined
}

/**
 * A call without a matching word must be at least this similar, and have at least this share of the similarity of the
 * nearest call. No threshold separates weak similarity from none, so these rather show a call too many
 * (docs/decisions/0018-search-by-meaning.md).
 */
const LEAST_COSINE = 0.24
const LEAST_SHARE_OF_NEAREST = 0.7
/** Measured with paraphrased and literal queries: a higher weight drowns out meaning, a lower one names. */
const WORDS_WEIGHT = 0.5

/** Returns ids, the most relevant first. */
export async function searchCalls(
  parts: SearchParts,
  companyId: string,
  where: CallsWhere,
  query: string,
): Promise<string[]> {
  const { sql, embedder } = parts
  const [byWords, vector] = await Promise.all([
    findByKeywords(sql, companyId, where, query),
    vectorOf(parts, companyId, query),
  ])
  if (!embedder || !vector) return byWords.map(({ id }) => id)
  const aim = { model: embedder.model, signs: signsOf(vector) }
  const ids = byWords.map(({ id }) => id)
  const cosines = new Map<string, number>()
  for (const near of await selectNearest(sql, companyId, where, aim, ids)) {
    const likeness = cosine(vector, unpackVector(near.vector))
    cosines.set(near.callId, Math.max(likeness, cosines.get(near.callId) ?? 0))
  }
  return fuse(byWords, cosines)
}

function fuse(byWords: Scored[], cosines: Map<string, number>): string[] {
  const scores = new Map<string, number>()
  const least = Math.max(LEAST_COSINE, LEAST_SHARE_OF_NEAREST * Math.max(0, ...cosines.values()))
  for (const [id, likeness] of cosines) if (likeness >= least) scores.set(id, likeness)
  for (const { id, score } of byWords) scores.set(id, (cosines.get(id) ?? 0) + WORDS_WEIGHT * score)
  // On a tie the newer call comes first: ids are ordered by time.
  return [...scores].toSorted(([a, x], [b, y]) => y - x || (a < b ? 1 : -1)).map(([id]) => id)
}

/** Undefined if the company has no embeddings to compare with, or the engine fails or takes too long. */
async function vectorOf(
  { sql, embedder, clock, log }: SearchParts,
  companyId: string,
  query: string,
): Promise<Float32Array | undefined> {
  if (!embedder || (query.match(/\p{L}/gu)?.length ?? 0) < CALL_LIMITS.meaningLetters) return undefined
  if (!(await hasEmbeddings(sql, companyId, embedder.model))) return undefined
  try {
    const embedded = await withTimeout(clock, CALL_LIMITS.embedMs, embedder.embed([query]))
    if (embedded.ok) return embedded.value[0]
    throw new EmbeddingFailed('timeout', `The query was not embedded within ${CALL_LIMITS.embedMs} ms.`)
  } catch (error) {
    if (!(error instanceof EmbeddingFailed)) throw error
    log.warn({ why: error.why, error: error.message }, 'calls are searched by keywords only')
    return undefined
  }
}
