import { z } from 'zod'

import { lazy } from '../../platform/async/lazy.ts'

/** Returns the wire format; throws if the response does not match its declaration. */
export type Encode = (answer: unknown) => unknown

/**
 * Schemas are declared for parsing, from the wire to the inside, and only that direction can be compiled. So the
 * schema of a response is reversed, which takes a third of the time of `schema.encode`. It is compiled at the first
 * response: compiling all of them would take a quarter of the start time.
 */
export function encoderOf(declared: z.ZodType): Encode {
  const known = encoders.get(declared)
  if (known) return known
  // Eagerly, so that an irreversible schema fails the start.
  const turned = turnAround(declared)
  const schema = lazy(() => z.compile(turned))
  const encode = (answer: unknown) => schema().parse(answer)
  encoders.set(declared, encode)
  return encode
}

/** Many routes have the same response. */
const encoders = new WeakMap<z.ZodType, Encode>()

const LEAVES = new Set(['string', 'number', 'boolean', 'null', 'literal', 'enum', 'date'])

function turnAround(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodCodec) {
    // The output of our own encoders needs no validation.
    const { out, reverseTransform } = schema.def
    return (out as z.ZodType).transform((value, context) => reverseTransform(value, context))
  }
  if (schema instanceof z.ZodNullable) return turnAround(schema.unwrap() as z.ZodType).nullable()
  if (schema instanceof z.ZodOptional) return turnAround(schema.unwrap() as z.ZodType).optional()
  if (schema instanceof z.ZodArray) return z.array(turnAround(schema.element as z.ZodType))
  if (schema instanceof z.ZodRecord)
    return z.record(schema.keyType as z.ZodString, turnAround(schema.valueType as z.ZodType))
  if (schema instanceof z.ZodUnion) return z.union(schema.options.map((one) => turnAround(one as z.ZodType)))
  if (schema instanceof z.ZodObject) {
    const shape = Object.entries<z.ZodType>(schema.shape)
    return z.object(Object.fromEntries(shape.map(([key, value]) => [key, turnAround(value)])))
  }
  if (LEAVES.has(schema.type)) return schema
  throw new Error(`A response schema with a ${schema.type} cannot be reversed yet.`)
}
