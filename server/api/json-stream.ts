import { Readable } from 'node:stream'

import type { Batches } from '../platform/http/route.ts'
import type { Encode } from './reply-encoder.ts'

export function isBatches(answer: unknown): answer is Batches<unknown> {
  return typeof answer === 'object' && answer !== null && Symbol.asyncIterator in answer
}

/**
 * A JSON array written batch by batch as the reader takes it. The first batch is fetched before anything is sent,
 * so that a failing query is still answered as an error.
 */
export async function streamArray(batches: Batches<unknown>, encode: Encode): Promise<Readable> {
  const iterator = batches[Symbol.asyncIterator]()
  const first = await iterator.next()
  return Readable.from(chunks(first, iterator, encode), { objectMode: false })
}

async function* chunks(first: IteratorResult<unknown[]>, rest: AsyncIterator<unknown[]>, encode: Encode) {
  let separator = '['
  for (let batch = first; !batch.done; batch = await rest.next()) {
    if (batch.value.length === 0) continue
    yield separator + batch.value.map((value) => JSON.stringify(encode(value))).join(',')
    separator = ','
  }
  yield separator === '[' ? '[]' : ']'
}
