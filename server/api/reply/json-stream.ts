import { Readable } from 'node:stream'

import { z } from 'zod'

import { lazy } from '../../platform/async/lazy.ts'
import type { Batches } from '../../platform/http/route.ts'
import { type Encode, encoderOf } from './reply-encoder.ts'

/** Runs what makes the next batch when it is the turn of the company. */
export type InTurn = <T>(work: () => Promise<T>) => Promise<T>

/** Undefined for a response without batches. */
type Stream = (answer: unknown, inTurn: InTurn) => Promise<Readable> | undefined

/**
 * Streams JSON at the speed of the reader: an array in batches, or an object with one such field. The first batch is
 * fetched before anything is sent, so that a failing query still becomes an error response.
 */
export function streamerOf(declared: z.ZodType): Stream {
  if (declared instanceof z.ZodArray) {
    const encodeItem = lazy(() => encoderOf(declared.element as z.ZodType))
    return (answer, inTurn) =>
      isBatches(answer)
        ? start({ head: '', batches: answer, encodeItem: encodeItem(), tail: '', inTurn })
        : undefined
  }
  if (!(declared instanceof z.ZodObject)) return () => undefined
  const fields = Object.entries<z.ZodType>(declared.shape).flatMap(([name, schema]) =>
    schema instanceof z.ZodArray ? [streamedField(declared, name, schema)] : [],
  )
  return (answer, inTurn) => {
    const field = fields.find(({ name }) => isBatches((answer as Record<string, unknown>)[name]))
    return field?.start(answer as Record<string, unknown>, inTurn)
  }
}

function streamedField(object: z.ZodObject, name: string, array: z.ZodArray) {
  const encoders = lazy(() => ({
    encodeItem: encoderOf(array.element as z.ZodType),
    encodeRest: encoderOf(object.omit({ [name]: true } as never)),
  }))
  return {
    name,
    start({ [name]: batches, ...rest }: Record<string, unknown>, inTurn: InTurn): Promise<Readable> {
      const { encodeItem, encodeRest } = encoders()
      const before = JSON.stringify(encodeRest(rest)).slice(1, -1)
      const head = `{${before}${before && ','}${JSON.stringify(name)}:`
      return start({ head, batches: batches as Batches<unknown>, encodeItem, tail: '}', inTurn })
    },
  }
}

function isBatches(answer: unknown): answer is Batches<unknown> {
  return typeof answer === 'object' && answer !== null && Symbol.asyncIterator in answer
}

interface Written {
  head: string
  batches: Batches<unknown>
  encodeItem: Encode
  tail: string
  inTurn: InTurn
}

async function start({ head, batches, encodeItem, tail, inTurn }: Written): Promise<Readable> {
  const iterator = batches[Symbol.asyncIterator]()
  const next = async () => {
    const batch = await iterator.next()
    return batch.done ? undefined : batch.value.map((item) => JSON.stringify(encodeItem(item))).join(',')
  }
  const first = await next()
  async function* chunks() {
    let separator = `${head}[`
    for (let items = first; items !== undefined; items = await inTurn(next)) {
      if (items === '') continue
      yield separator + items
      separator = ','
    }
    yield `${separator === ',' ? '' : separator}]${tail}`
  }
  return Readable.from(chunks(), { objectMode: false })
}
