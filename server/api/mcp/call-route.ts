import type { CallToolResult } from '@modelcontextprotocol/server'
import type { FastifyInstance } from 'fastify'

import { readWithin } from '../../platform/net/read-within.ts'
import { MCP_LIMITS } from './limits.ts'
import type { RouteTool } from './tools.ts'

/**
 * Calls the route itself, with the client's own credential, so that permissions, checks and errors are the same as
 * for any other client of the API.
 */
export async function callRoute(
  app: FastifyInstance,
  { route, requestOf, resultOf }: RouteTool,
  input: Record<string, unknown>,
  headers: Record<string, string>,
): Promise<CallToolResult> {
  const { path, query, body } = requestOf(input)
  if (path.length + new URLSearchParams(query).toString().length > MCP_LIMITS.urlCharacters)
    return refusal(TOO_LONG)
  const response = await app.inject({
    method: route.method,
    url: `/api/v1${path}`,
    query,
    headers,
    ...(body !== undefined && { payload: body as object }),
    payloadAsStream: true,
  })
  const text = (await readWithin(response.stream(), MCP_LIMITS.resultBytes))?.toString('utf8')
  if (text === undefined) return refusal(TOO_LARGE)
  if (response.statusCode >= 400) return refusal(text)
  if (text === '' && !route.mayBeEmpty) return { content: [{ type: 'text', text: 'Done.' }] }
  const result = resultOf(text === '' ? null : JSON.parse(text))
  return { content: [{ type: 'text', text: JSON.stringify(result) }], structuredContent: result }
}

const refusal = (text: string): CallToolResult => ({ isError: true, content: [{ type: 'text', text }] })

const TOO_LONG = JSON.stringify({
  error: 'request_too_long',
  message: 'The filter arguments are too long. Use shorter ones.',
})

const TOO_LARGE = JSON.stringify({
  error: 'result_too_large',
  message: 'The result is too long for a tool. Request less, by an id or a filter.',
})
