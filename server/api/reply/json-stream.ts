import { Readable } from 'node:stream'

import { z } from 'zod'

import { Batches } from '../../platform/async/batches.ts'
import type { FairTurn } from '../../platform/async/fair-turns.ts'
import { lazy } from '../../platform/async/lazy.ts'
import { API_LIMITS } from '../limits.ts'
import { type Encode, encoderOf } from './reply-encoder.ts'

/** Runs what makes the next batch when it is the turn of the company. */
export type InTurn = <T>(work: (turn: FairTurn) => Promise<T>) => Promise<T>

/** The first batch belongs to the turn of the request. Undefined for a response without batches. */
type Stream = (answer: unknown, turn: FairTurn, inTurn: InTurn) => Promise<Readable> | undefined

/**
 * Streams JSON at the speed of the reader: an array in batches, or an object with one such field. The first batch is
 * fetched before anything is sent, so that a failing query still becomes an error response.
 */
export function streamerOf(declared: z.ZodType): Stream {
  if (declared instanceof z.ZodArray) {
    const encodeItem = lazy(() => encoderOf(declared.element as z.ZodType))
    return (answer, turn, inTurn) =>
      answer instanceof Batches
        ? start({ head: '', batches: answer, encodeItem: encodeItem(), tail: '', turn, inTurn })
        : undefined
  }
  if (!(declared instanceof z.ZodObject)) return () => undefined
  const fields = Object.entries<z.ZodType>(declared.shape).flatMap(([name, schema]) =>
    schema instanceof z.ZodArray ? [streamedField(declared, name, schema)] : [],
  )
  return (answer, turn, inTurn) => {
    const field = fields.find(({ name }) => (answer as Record<string, unknown>)[name] instanceof Batches)
    return field?.start(answer as Record<string, unknown>, turn, inTurn)
  }
}

function streamedField(object: z.ZodObject, name: string, array: z.ZodArray) {
  const encoders = lazy(() => ({
    encodeItem: encoderOf(array.element as z.ZodType),
    encodeRest: encoderOf(object.omit({ [name]: true } as never)),
  }))
  return {
    name,
    start(
      { [name]: batches, ...rest }: Record<string, unknown>,
      turn: FairTurn,
      inTurn: InTurn,
    ): Promise<Readable> {
      const { encodeItem, encodeRest } = encoders()
      const before = JSON.stringify(encodeRest(rest)).slice(1, -1)
      const head = `{${before}${before && ','}${JSON.stringify(name)}:`
      return start({ head, batches: batches as Batches<unknown>, encodeItem, tail: '}', turn, inTurn })
    },
  }
}

interface Written {
  head: string
  batches: Batches<unknown>
  encodeItem: Encode
  tail: string
  turn: FairTurn
  inTurn: InTurn
}

async function start({ head, batches, encodeItem, tail, turn, inTurn }: Written): Promise<Readable> {
  /** Of an item of the batch before. */
  let characters = API_LIMITS.itemCharacters
  const next = async ({ shouldBeShort }: FairTurn) => {
    // The thread serves nobody else while a batch is read and written, which takes as long as its text is.
    const size = shouldBeShort ? Math.ceil(API_LIMITS.busyBatchCharacters / characters) : undefined
    const items = (await batches.next(size))?.map((item) => JSON.stringify(encodeItem(item)))
    const text = items?.join(',')
    if (text) characters = text.length / items!.length
    return text
  }
  const first = await next(turn)
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
