import assert from 'node:assert'

import type { Tool } from '@modelcontextprotocol/server'
import { z } from 'zod'

import type { Route } from '../../platform/http/route.ts'
import { type JsonSchema, shorten } from './short-schema.ts'

interface Fields {
  properties: Record<string, JsonSchema>
  required: string[]
}

/** The parameters, the query and the body of a route as arguments side by side. */
export function inputSchemaOf(route: Route): Tool['inputSchema'] {
  const parts = [route.params, route.query, route.body].flatMap((part) => (part ? [fieldsOf(part)] : []))
  const names = parts.flatMap(({ properties }) => Object.keys(properties))
  assert.equal(new Set(names).size, names.length, `${route.name} has two inputs of one name`)
  const properties = Object.assign({}, ...parts.map((part) => part.properties)) as Fields['properties']
  const mandatory = mandatoryOf(route)
  for (const name of mandatory) properties[name] = withoutNull(properties[name]!)
  const required = [...new Set([...parts.flatMap((part) => part.required), ...mandatory])]
  const schema = { type: 'object', properties, ...(required.length > 0 && { required }) }
  return schema as Tool['inputSchema']
}

/** A tool has no headers, so an idempotency key can only be an argument. */
const mandatoryOf = ({ mandatory = [], idempotent }: Route) =>
  idempotent ? [...mandatory, 'idempotency_key'] : mandatory

function fieldsOf(part: z.ZodType): Fields {
  const schema = z.toJSONSchema(part, { io: 'input', target: 'draft-2020-12' }) as JsonSchema
  const { properties, required = [] } = shorten(schema)
  assert(properties, 'the input of a tool has fields')
  return { properties, required }
}

function withoutNull({ type, ...rest }: JsonSchema): JsonSchema {
  return { type: Array.isArray(type) ? type.find((one) => one !== 'null') : type, ...rest }
}
