import { z } from 'zod'

import type { Route } from '../../../server/platform/http/route.ts'

export interface Field {
  /** As errors name it, with an index for elements of an array: `menu_options.0.digit`. */
  path: string
  /** The code of its error, if it has its own, and the status if that is not 422. */
  code?: string
  status?: number
  /** The JSON of a body in which the field is validated. */
  bodyWith(value: string, beside?: Record<string, unknown>): string
}

const objectWith = (name: string, value: string, beside: Record<string, unknown> = {}) =>
  JSON.stringify({ ...beside, [name]: 0 }).replace(/0}$/, () => `${value}}`)

/** The kind is validated first, and its error has a code in place of `errors`. */
const PREVIEW_FIELDS: Field[] = [
  { path: 'kind', code: 'invalid_kind', bodyWith: (value) => objectWith('kind', value) },
  { path: 'text', bodyWith: (value) => objectWith('text', value, { kind: 'greeting' }) },
]

/** A key is validated last, and a missing or invalid one is a conflict. */
function keyField(route: Route): Field {
  return {
    path: 'idempotency_key',
    code: 'idempotency_key_required',
    status: 409,
    bodyWith: (value) => {
      const { idempotency_key: _, ...beside } = route.example as Record<string, unknown>
      return objectWith('idempotency_key', value, beside)
    },
  }
}

/** The fields of the route's body, each with its exceptions. */
export function fieldsIn(route: Route): Field[] {
  if (route.path.endsWith('/voice_previews')) return PREVIEW_FIELDS
  const fields = fieldsOf(route.body!)
  return route.idempotent
    ? [...fields.filter(({ path }) => path !== 'idempotency_key'), keyField(route)]
    : fields
}

/** Every field that some body of the route may have. */
export function fieldsOf(schema: z.core.$ZodType): Field[] {
  if (schema instanceof z.ZodPipe) return fieldsOf(schema.def.in)
  if (schema instanceof z.ZodIntersection) return [schema.def.left, schema.def.right].flatMap(fieldsOf)
  if (schema instanceof z.ZodDiscriminatedUnion) return fieldsOfUnion(schema)
  if (!(schema instanceof z.ZodObject)) throw new Error('it is not known what fields this body has')
  return Object.entries(schema.shape).flatMap(([name, kind]) => {
    const whole: Field = { path: name, bodyWith: (value, beside) => objectWith(name, value, beside) }
    const inside = fieldsOfItems(kind).map(({ path, bodyWith }): Field => ({
      path: `${name}.0.${path}`,
      bodyWith: (value, beside) => objectWith(name, `[${bodyWith(value)}]`, beside),
    }))
    return [whole].concat(inside)
  })
}

/** Each field with the variant of the body that has it. */
function fieldsOfUnion(union: z.ZodDiscriminatedUnion): Field[] {
  const { discriminator, options } = union.def
  const variants = options.flatMap((option) => {
    const kind = (option as z.ZodObject).shape[discriminator]
    const beside = { [discriminator]: kind instanceof z.ZodLiteral ? kind.value : null }
    return fieldsOf(option).map((field): Field => ({
      path: field.path,
      bodyWith: (value) => field.bodyWith(value, beside),
    }))
  })
  return [
    { path: discriminator, bodyWith: (value) => objectWith(discriminator, value) },
    ...variants.filter(({ path }) => path !== discriminator),
  ]
}

/** The fields of an array's elements, if they are objects. */
function fieldsOfItems(schema: z.core.$ZodType): Field[] {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) {
    return fieldsOfItems(schema.def.innerType)
  }
  if (!(schema instanceof z.ZodArray)) return []
  const { element } = schema.def
  return element instanceof z.ZodObject || element instanceof z.ZodDiscriminatedUnion ? fieldsOf(element) : []
}
