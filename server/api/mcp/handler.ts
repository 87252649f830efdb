import { toNodeHandler } from '@modelcontextprotocol/node'
import {
  type CallToolResult,
  createMcpHandler,
  ProtocolError,
  ProtocolErrorCode,
  Server,
} from '@modelcontextprotocol/server'
import type { FastifyInstance } from 'fastify'

import { callRoute } from './call-route.ts'
import type { ToolCalls } from './tool-calls.ts'
import type { RouteTool } from './tools.ts'

export interface McpHandlerOptions {
  tools: () => Promise<RouteTool[]>
  version: string
  toolCalls: ToolCalls
}

const INSTRUCTIONS =
  'Bellhop is the business phone system of a company. The tools act as the employee whose credential is used. ' +
  'Phone numbers are written as E.164 (+4520304050). Ids are opaque: take them from what other tools answer. ' +
  'Settings of the company, its people, numbers, webhooks and integrations are tools too, for clients that connect ' +
  'to this address with ?tools=all.'

/** What answers the messages of MCP clients. */
export function openMcpHandler(app: FastifyInstance, { tools, version, toolCalls }: McpHandlerOptions) {
  const handler = createMcpHandler(
    ({ requestInfo }) => {
      const server = new Server(
        { name: 'bellhop', title: 'Bellhop', version },
        { capabilities: { tools: {} }, instructions: INSTRUCTIONS },
      )
      server.setRequestHandler('tools/list', async () => {
        const listed = (await tools()).filter(
          ({ toolSet }) => toolSet === 'everyday' || wantsAll(requestInfo),
        )
        return { tools: listed.map(({ tool }) => tool) }
      })
      server.setRequestHandler('tools/call', async ({ params }): Promise<CallToolResult> => {
        const tool = (await tools()).find(({ tool }) => tool.name === params.name)
        if (!tool)
          throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool ${params.name}.`)
        return callRoute(app, tool, params.arguments ?? {}, {
          ...credentialsIn(requestInfo?.headers),
          ...toolCalls.headers,
        })
      })
      return server
    },
    // The list of tools never changes while a process runs, so there is nothing to subscribe to.
    { maxSubscriptions: 0 },
  )
  return { handle: toNodeHandler(handler), close: () => handler.close() }
}

/** A choice of what a model reads, not a permission: every tool can be called. */
const wantsAll = (request: Request | undefined) =>
  request !== undefined && new URL(request.url).searchParams.get('tools') === 'all'

const CREDENTIALS = ['authorization', 'x-api-key']

function credentialsIn(headers: Headers | undefined): Record<string, string> {
  const pairs = CREDENTIALS.map((name) => [name, headers?.get(name)])
  return Object.fromEntries(pairs.filter(([, value]) => value)) as Record<string, string>
}
