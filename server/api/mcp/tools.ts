import assert from 'node:assert'

import type { Tool } from '@modelcontextprotocol/server'
import { z } from 'zod'

import type { Method, Route } from '../../platform/http/route.ts'

type Json = Record<string, unknown>

/** A route as a tool, and how its arguments become a request to that route. */
export interface RouteTool {
  tool: Tool
  route: Route
  requestOf(input: Json): { path: string; query: Record<string, string>; body?: unknown }
  /** The response of the route, as the object that the tool's schema declares. */
  resultOf(answer: unknown): Json
}

/** The effect of a call, from the semantics of each HTTP method. An update overwrites, so it is destructive. */
const HINTS: Record<Method, Tool['annotations']> = {
  GET: { readOnlyHint: true, destructiveHint: false, idempotentHint: true },
  POST: { readOnlyHint: false, destructiveHint: false, idempotentHint: false },
  PATCH: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
  PUT: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
  DELETE: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
}

/** Deprecated names are left out: a model would have to choose between duplicates. */
export function toolsOf(routes: Route[]): RouteTool[] {
  return routes.filter(({ deprecated }) => !deprecated).map(toolOf)
}

function toolOf(route: Route): RouteTool {
  const inPath = Object.keys(route.params?.shape ?? {})
  const inQuery = Object.keys(route.query?.shape ?? {})
  const output = outputOf(route)
  const tool: Tool = {
    name: route.name,
    title: route.summary,
    description: `${route.summary}.`,
    inputSchema: inputOf(route),
    ...(output && { outputSchema: output.schema }),
    annotations: {
      title: route.summary,
      ...HINTS[route.method],
      ...(route.mayAdd && { readOnlyHint: false }),
    },
  }
  return {
    tool,
    route,
    requestOf(input) {
      const path = route.path.replace(/:(\w+)/g, (_, name: string) => pathSegment(input[name]))
      const query = inQuery.flatMap((name) => (isGiven(input[name]) ? [[name, textOf(input[name])]] : []))
      const rest = Object.entries(input).filter(([name]) => !inPath.includes(name) && !inQuery.includes(name))
      const body = isFlat(route.body) ? Object.fromEntries(rest) : (input['body'] ?? {})
      return { path, query: Object.fromEntries(query) as Record<string, string>, ...(route.body && { body }) }
    },
    resultOf: (answer) => (output?.wrapped ? { result: answer } : (answer as Json)),
  }
}

const isGiven = (value: unknown) => value !== undefined && value !== null
const textOf = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))

/** Only ids and phone numbers; anything else could lead to another path, and is replaced by a value that is neither. */
function pathSegment(value: unknown): string {
  return typeof value === 'string' && /^[+\w ()-]{1,64}$/.test(value) ? encodeURIComponent(value) : '-'
}

/** The fields of a flat body are arguments beside the parameters; any other body is one argument. */
function isFlat(body: z.ZodType | undefined): body is z.ZodObject | undefined {
  return body === undefined || body instanceof z.ZodObject
}

function inputOf(route: Route): Tool['inputSchema'] {
  const fields = isFlat(route.body) ? route.body?.shape : { body: route.body }
  const parts = [route.params?.shape, route.query?.shape, fields].map((part) => Object.entries(part ?? {}))
  const all = parts.flat()
  assert.equal(
    new Set(all.map(([name]) => name)).size,
    all.length,
    `${route.name} has two inputs of one name`,
  )
  return describe(z.object(Object.fromEntries(all))) as Tool['inputSchema']
}

/**
 * Tools return objects. Anything else becomes the only field of one, and so does a response that may have no content:
 * a client that expects an object treats its absence as an error.
 */
function outputOf({
  reply,
  mayBeEmpty,
}: Route): { schema: NonNullable<Tool['outputSchema']>; wrapped: boolean } | undefined {
  if (!reply) return undefined
  const wrapped = mayBeEmpty === true || !(reply instanceof z.ZodObject)
  const whole = describe(z.object({ result: mayBeEmpty ? reply.nullable() : reply }))
  return { schema: wrapped ? whole : unwrap(whole), wrapped }
}

/** The schema of the field `result`, with its references. */
function unwrap({ properties, $defs = {} }: Json): Json {
  const { result } = properties as { result: Json }
  const { [nameIn(result)]: named, ...others } = $defs as Record<string, Json>
  const own = named ?? result
  const isReferredTo = JSON.stringify([own, others]).includes(`"#/$defs/${nameIn(result)}"`)
  return { ...own, $defs: isReferredTo ? $defs : others }
}

const nameIn = ({ $ref }: Json) => (typeof $ref === 'string' ? $ref.replace('#/$defs/', '') : '')

/** The JSON Schema of the wire format, without what only makes it longer. */
function describe(schema: z.ZodType): Json {
  const described = z.toJSONSchema(schema, {
    io: 'input',
    target: 'draft-2020-12',
    override: ({ jsonSchema }) => {
      if (jsonSchema.format === 'date-time') delete jsonSchema.pattern
    },
  }) as Json
  // The name of a schema, which JSON Schema would take for the old form of $id.
  for (const named of Object.values((described['$defs'] ?? {}) as Record<string, Json>)) delete named['id']
  return described
}
