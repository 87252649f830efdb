import { Readable } from 'node:stream'

import { z } from 'zod'

import { lazy } from '../../platform/async/lazy.ts'
import type { Batches } from '../../platform/http/route.ts'
import { type Encode, encoderOf } from './reply-encoder.ts'

/** Undefined for a response without batches. */
type Stream = (answer: unknown) => Promise<Readable> | undefined

/**
 * Streams JSON at the speed of the reader: an array in batches, or an object with one such field. The first batch is
 * fetched before anything is sent, so that a failing query still becomes an error response.
 */
export function streamerOf(declared: z.ZodType): Stream {
  if (declared instanceof z.ZodArray) {
    const encodeItem = lazy(() => encoderOf(declared.element as z.ZodType))
    return (answer) =>
      isBatches(answer) ? start({ head: '', batches: answer, encodeItem: encodeItem(), tail: '' }) : undefined
  }
  if (!(declared instanceof z.ZodObject)) return () => undefined
  const fields = Object.entries<z.ZodType>(declared.shape).flatMap(([name, schema]) =>
    schema instanceof z.ZodArray ? [streamedField(declared, name, schema)] : [],
  )
  return (answer) => {
    const field = fields.find(({ name }) => isBatches((answer as Record<string, unknown>)[name]))
    return field?.start(answer as Record<string, unknown>)
  }
}

function streamedField(object: z.ZodObject, name: string, array: z.ZodArray) {
  const encoders = lazy(() => ({
    encodeItem: encoderOf(array.element as z.ZodType),
    encodeRest: encoderOf(object.omit({ [name]: true } as never)),
  }))
  return {
    name,
    start({ [name]: batches, ...rest }: Record<string, unknown>): Promise<Readable> {
      const { encodeItem, encodeRest } = encoders()
      const before = JSON.stringify(encodeRest(rest)).slice(1, -1)
      const head = `{${before}${before && ','}${JSON.stringify(name)}:`
      return start({ head, batches: batches as Batches<unknown>, encodeItem, tail: '}' })
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
}

async function start({ head, batches, encodeItem, tail }: Written): Promise<Readable> {
  const iterator = batches[Symbol.asyncIterator]()
  const first = await iterator.next()
  async function* chunks() {
    let separator = `${head}[`
    for (let batch = first; !batch.done; batch = await iterator.next()) {
      if (batch.value.length === 0) continue
      yield separator + batch.value.map((item) => JSON.stringify(encodeItem(item))).join(',')
      separator = ','
    }
    yield `${separator === ',' ? '' : separator}]${tail}`
  }
  return Readable.from(chunks(), { objectMode: false })
}
