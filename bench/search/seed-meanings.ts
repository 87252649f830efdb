import type { Embedder } from '../../server/embeddings/port.ts'
import { EMBEDDING_LIMITS } from '../../server/embeddings/port.ts'
import { CELL_VECTORS_MAX, halve } from '../../server/modules/calls/meanings/cells.ts'
import { packVector, signsOf, unpackVector } from '../../server/modules/calls/meanings/vectors.ts'
import { connect, type Database, type Sql } from '../../server/platform/db/database.ts'
import type { Corpus } from './search-corpus.ts'

const PARTS_OF_CALL = 1
const NOISE = 0.5

export interface Vector {
  callId: string
  part: number
  packed: Buffer
  signs: string
}

/** The same in every run. */
function createChance() {
  let state = 1
  return () => (state = (state * 16_807) % 2_147_483_647) / 2_147_483_647
}

export async function embedSentences(embedder: Embedder, { calls }: Corpus): Promise<Float32Array[]> {
  const sentences = Object.values(calls).flatMap((text) => text.split(/(?<=[.?!])\s+/))
  const long = sentences.filter((sentence) => sentence.split(' ').length > 5)
  const vectors: Float32Array[] = []
  for (let at = 0; at < long.length; at += EMBEDDING_LIMITS.textsAtOnce)
    vectors.push(...(await embedder.embed(long.slice(at, at + EMBEDDING_LIMITS.textsAtOnce))))
  return vectors
}

/** Real sentences, each blended with another one and with noise, so that there are enough of them. */
export function* blend(sentences: Float32Array[], chance = createChance()): Generator<Float32Array> {
  for (;;) {
    const one = sentences[Math.floor(chance() * sentences.length)]!
    const other = sentences[Math.floor(chance() * sentences.length)]!
    const share = 0.3 * chance()
    const spread = (NOISE * Math.sqrt(12)) / Math.sqrt(one.length)
    const blended = new Float32Array(one.length)
    for (let i = 0; i < one.length; i++) blended[i] = one[i]! + share * other[i]! + spread * (chance() - 0.5)
    yield blended
  }
}

/**
 * Gives every transcribed call of the company its embeddings, in cells that have grown as they do when calls arrive.
 */
export async function seedMeanings(
  db: Database,
  companyId: string,
  model: string,
  blends: Iterator<Float32Array>,
): Promise<Vector[]> {
  const seeding = connect(db.address, { max: 1 })
  try {
    await seeding`set statement_timeout = 0`
    const calls = await seeding<{ id: string }[]>`
      select id from calls where company_id = ${companyId} and slice is not null order by id`
    const vectors = calls.flatMap(({ id }) =>
      Array.from({ length: PARTS_OF_CALL }, (_, part): Vector => {
        const vector = blends.next().value as Float32Array
        return { callId: id, part, packed: packVector(vector), signs: signsOf(vector) }
      }),
    )
    const cells = grow(vectors)
    const ids: number[] = []
    for (const { centre } of cells) {
      const [cell] = await seeding<{ id: number }[]>`
        insert into meaning_cells (company_id, model, dimensions, centre)
        values (${companyId}, ${model}, ${centre.length}, ${centre}::varbit) returning id`
      ids.push(cell!.id)
    }
    await insertMembers(seeding, companyId, cells, ids)
    return vectors
  } finally {
    await seeding.end()
  }
}

interface Cell {
  centre: string
  bits: Uint32Array
  members: Vector[]
}

/** As cells.ts does it one by one, but in memory. */
function grow(vectors: Vector[]): Cell[] {
  const cells: Cell[] = []
  const open = (centre: string, members: Vector[]): Cell => ({ centre, bits: bitsOf(centre), members })
  for (const vector of vectors) {
    if (cells.length === 0) cells.push(open(vector.signs, []))
    const bits = bitsOf(vector.signs)
    let nearest = cells[0]!
    let least = Infinity
    for (const cell of cells) {
      const distance = hamming(cell.bits, bits)
      if (distance < least) [least, nearest] = [distance, cell]
    }
    nearest.members.push(vector)
    if (nearest.members.length <= CELL_VECTORS_MAX) continue
    const { centres, side } = halve(nearest.members.map(({ packed }) => unpackVector(packed)))
    const [left, right] = [0, 1].map((wanted) => nearest.members.filter((_, i) => side[i] === wanted))
    cells.splice(
      cells.indexOf(nearest),
      1,
      open(signsOf(centres[0]), left!),
      open(signsOf(centres[1]), right!),
    )
  }
  return cells
}

function bitsOf(signs: string): Uint32Array {
  const bits = new Uint32Array(signs.length / 32)
  for (let i = 0; i < signs.length; i++) if (signs.charCodeAt(i) === 0x31) bits[i >> 5]! |= 1 << (i & 31)
  return bits
}

function hamming(a: Uint32Array, b: Uint32Array): number {
  let count = 0
  for (let i = 0; i < a.length; i++) {
    let differing = a[i]! ^ b[i]!
    differing -= (differing >>> 1) & 0x55555555
    differing = (differing & 0x33333333) + ((differing >>> 2) & 0x33333333)
    count += (((differing + (differing >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24
  }
  return count
}

async function insertMembers(sql: Sql, companyId: string, cells: Cell[], ids: number[]): Promise<void> {
  await sql`alter table call_meanings disable trigger all`
  for (const [i, { members }] of cells.entries())
    await sql`
      insert into call_meanings (company_id, call_id, part, cell, signs, vector)
      select ${companyId}, call_id, part, ${ids[i]!}, signs::bit varying, vector
      from unnest(
        ${members.map(({ callId }) => callId)}::uuid[], ${members.map(({ part }) => part)}::int[],
        ${members.map(({ signs }) => signs)}::text[], ${members.map(({ packed }) => packed)}::bytea[]
      ) as member (call_id, part, signs, vector)`
  await sql`alter table call_meanings enable trigger all`
  await sql`vacuum analyze call_meanings`
  await sql`vacuum analyze meaning_cells`
}
