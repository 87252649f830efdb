import { z } from 'zod'

import { madeWhenAsked } from '../platform/once-made.ts'

/** Gives what goes on the wire; throws for an answer that does not match its declaration. */
export type Encode = (answer: unknown) => unknown

/**
 * Schemas are declared as they are read, from the wire to the inside, and only that direction can be compiled. So
 * the schema of a reply is turned around, which makes every answer a third of the work it is with `schema.encode`.
 * Compiled it is with the first answer: all of them together would take half of the time that a start takes.
 */
export function encoderOf(declared: z.ZodType): Encode {
  const turned = turnAround(declared)
  const schema = madeWhenAsked(() => z.compile(turned))
  return (answer) => schema().parse(answer)
}

const LEAVES = new Set(['string', 'number', 'boolean', 'null', 'literal', 'enum', 'date'])

function turnAround(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodCodec) {
    // What our own encoders write needs no second look.
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
  throw new Error(`A reply with a ${schema.type} in it cannot be turned around yet.`)
}
