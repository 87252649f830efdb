import type { Tx } from '../../../platform/db/database.ts'
import { enqueue } from '../../../platform/jobs/job.ts'
import { splitCell } from './jobs.ts'
import {
  countCell,
  insertCell,
  insertEmbedding,
  lockCell,
  moveEmbeddings,
  type NewEmbedding,
  selectCell,
  updateCentre,
} from './queries.ts'
import { cosine, signsOf, unpackVector } from './vectors.ts'

/** A cell with more vectors is split in two: a search reads a fixed number of cells, so their size bounds its cost. */
export const CELL_VECTORS_MAX = 1_024
const SPLIT_ROUNDS = 8

export async function addEmbedding(
  tx: Tx,
  companyId: string,
  model: string,
  meaning: NewEmbedding,
): Promise<void> {
  let cell = await insertEmbedding(tx, companyId, model, meaning)
  if (cell === undefined) {
    await insertCell(tx, companyId, model, meaning.signs)
    cell = (await insertEmbedding(tx, companyId, model, meaning))!
  }
  if ((await countCell(tx, companyId, cell)) > CELL_VECTORS_MAX)
    await enqueue(tx, splitCell, { companyId, cell })
}

/** The cell keeps the half around one centre; the other half moves to a new cell. */
export async function splitFullCell(tx: Tx, companyId: string, cell: number): Promise<void> {
  const locked = await lockCell(tx, companyId, cell)
  if (!locked) return
  const members = await selectCell(tx, companyId, cell)
  if (members.length <= CELL_VECTORS_MAX) return
  const vectors = members.map(({ vector }) => unpackVector(vector))
  const { centres, side } = halve(vectors)
  await updateCentre(tx, companyId, cell, signsOf(centres[0]))
  const beside = await insertCell(tx, companyId, locked.model, signsOf(centres[1]))
  const moved = members.filter((_, i) => side[i] === 1)
  await moveEmbeddings(tx, companyId, beside, moved)
}

type Two<T> = [T, T]

/** k-means with two clusters, starting from a vector and the one farthest from it. */
export function halve(vectors: Int8Array[]): { centres: Two<Float32Array>; side: (0 | 1)[] } {
  const first = Float32Array.from(vectors[0]!)
  let centres: Two<Float32Array> = [first, Float32Array.from(farthestFrom(first, vectors))]
  let side = nearestOf(centres, vectors)
  for (let round = 0; round < SPLIT_ROUNDS; round++) {
    centres = [
      meanOf(vectors.filter((_, i) => side[i] === 0)),
      meanOf(vectors.filter((_, i) => side[i] === 1)),
    ]
    const next = nearestOf(centres, vectors)
    if (!next.includes(0) || !next.includes(1)) break
    side = next
  }
  // Identical vectors cannot be told apart, so any half will do.
  if (!side.includes(0) || !side.includes(1)) side = vectors.map((_, i) => (i % 2 === 0 ? 0 : 1))
  return { centres, side }
}

function nearestOf([a, b]: Two<Float32Array>, vectors: Int8Array[]): (0 | 1)[] {
  const [lengthA, lengthB] = [Math.hypot(...a), Math.hypot(...b)]
  return vectors.map((vector) => (cosine(a, vector) * lengthB >= cosine(b, vector) * lengthA ? 0 : 1))
}

function farthestFrom(centre: Float32Array, vectors: Int8Array[]): Int8Array {
  let farthest = vectors[0]!
  let least = Infinity
  for (const vector of vectors) {
    const near = cosine(centre, vector)
    if (near < least) {
      least = near
      farthest = vector
    }
  }
  return farthest
}

function meanOf(vectors: Int8Array[]): Float32Array {
  const sum = new Float32Array(vectors[0]?.length ?? 0)
  for (const vector of vectors) for (let i = 0; i < sum.length; i++) sum[i]! += vector[i]!
  return sum
}
