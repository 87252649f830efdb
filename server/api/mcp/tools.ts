import type { Tool } from '@modelcontextprotocol/server'
import { z } from 'zod'

import { nextTurn } from '../../platform/event-loop.ts'
import type { Method, Route, ToolSet } from '../../platform/http/route.ts'
import { inputSchemaOf } from './input-schema.ts'
import { MCP_LIMITS } from './limits.ts'

type Json = Record<string, unknown>

/** A route as a tool, and how its arguments become a request to that route. */
export interface RouteTool {
  tool: Tool
  toolSet: ToolSet
  route: Route
  requestOf(input: Json): { path: string; query: Record<string, string>; body?: unknown }
  /** Tools return objects: the response of the route, or an object with it as its only field. */
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

/** Deprecated routes have a tool only if they say so: a model would have to choose between duplicates. */
export async function toolsOf(routes: Route[]): Promise<RouteTool[]> {
  const tools: RouteTool[] = []
  for (const route of routes) {
    const toolSet = route.toolSet ?? (route.deprecated ? 'none' : 'everyday')
    if (toolSet !== 'none') tools.push(toolOf(route, toolSet))
    await nextTurn()
  }
  return tools
}

function toolOf(route: Route, toolSet: ToolSet): RouteTool {
  const inPath = Object.keys(route.params?.shape ?? {})
  const inQuery = Object.keys(route.query?.shape ?? {})
  const isWrapped = route.mayBeEmpty === true || !(route.reply instanceof z.ZodObject)
  return {
    tool: {
      name: route.name,
      description: `${route.summary}.`,
      inputSchema: inputSchemaOf(route),
      annotations: { ...HINTS[route.method], ...(route.mayAdd && { readOnlyHint: false }) },
    },
    toolSet,
    route,
    requestOf(input) {
      const path = route.path.replace(/:(\w+)/g, (_, name: string) => pathSegment(input[name]))
      const query = inQuery.flatMap((name) => (isGiven(input[name]) ? [[name, textOf(input[name])]] : []))
      const rest = Object.entries(input).filter(([name]) => !inPath.includes(name) && !inQuery.includes(name))
      return {
        path,
        query: Object.fromEntries(query) as Record<string, string>,
        ...(route.body && { body: bodyOf(Object.fromEntries(rest)) }),
      }
    },
    resultOf: (answer) => (isWrapped ? { result: answer } : (answer as Json)),
  }
}

const isGiven = (value: unknown) => value !== undefined && value !== null
const textOf = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))

/** Older clients send the fields of some tools as one argument, `body`. No route has a field of that name. */
function bodyOf({ body, ...fields }: Json): Json {
  return typeof body === 'object' ? { ...fields, ...body } : fields
}

/** An id, or a number as the inbox has it; what would lead to another path is replaced by a value that is neither. */
function pathSegment(value: unknown): string {
  const isSafe =
    typeof value === 'string' &&
    value.length <= MCP_LIMITS.pathArgumentCharacters &&
    value.isWellFormed() &&
    !['', '.', '..'].includes(value)
  return isSafe ? encodeURIComponent(value) : '-'
}
