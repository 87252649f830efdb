import { toNodeHandler } from '@modelcontextprotocol/node'
import {
  type CallToolResult,
  createMcpHandler,
  ProtocolError,
  ProtocolErrorCode,
  Server,
} from '@modelcontextprotocol/server'
import type { FastifyInstance, FastifyRequest } from 'fastify'

import { RESOURCE_METADATA_PATH } from '../../modules/oauth/index.ts'
import { AppError } from '../../platform/errors.ts'
import { type Authenticators, requireActor } from '../request/authenticate.ts'
import { noteRequest } from '../request/request-log.ts'
import { callRoute } from './call-route.ts'
import { MCP_LIMITS } from './limits.ts'
import type { ToolCalls } from './tool-calls.ts'
import type { RouteTool } from './tools.ts'

interface McpOptions {
  credentials: Authenticators
  tools: () => Promise<RouteTool[]>
  issuer(host: string | undefined): string
  version: string
  toolCalls: ToolCalls
}

const INSTRUCTIONS =
  'Bellhop is the business phone system of a company. The tools act as the employee whose credential is used. ' +
  'Phone numbers are written as E.164 (+4520304050). Ids are opaque: take them from what other tools answer. ' +
  'Settings of the company, its people, numbers, webhooks and integrations are tools too, for clients that connect ' +
  'to this address with ?tools=all.'

/** The API as an MCP server for language models. It is stateless: there are no sessions. */
export async function serveMcp(app: FastifyInstance, options: McpOptions): Promise<void> {
  const { credentials, tools, issuer, version, toolCalls } = options

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
  const handle = toNodeHandler(handler)

  await app.register(async (mcp) => {
    mcp.addHook('onRequest', async (request) => requireOwnOrigin(request, issuer))
    requireActor(mcp, credentials, {
      useOf: () => 'mcp',
      challenge({ headers }) {
        const document = `${issuer(headers.host)}${RESOURCE_METADATA_PATH}/mcp`
        return `Bearer error="invalid_token", resource_metadata="${document}"`
      },
    })
    mcp.addHook('preClose', () => handler.close())
    mcp.route({
      method: ['GET', 'POST', 'DELETE'],
      url: '/mcp',
      exposeHeadRoute: false,
      bodyLimit: MCP_LIMITS.messageBytes,
      handler: async (request, reply) => {
        noteRequest(request)
        reply.hijack()
        reply.raw.setHeader('x-request-id', request.id)
        await handle(request.raw, reply.raw, request.body)
      },
    })
  })
}

/** A choice of what a model reads, not a permission: every tool can be called. */
const wantsAll = (request: Request | undefined) =>
  request !== undefined && new URL(request.url).searchParams.get('tools') === 'all'

const CREDENTIALS = ['authorization', 'x-api-key']

function credentialsIn(headers: Headers | undefined): Record<string, string> {
  const pairs = CREDENTIALS.map((name) => [name, headers?.get(name)])
  return Object.fromEntries(pairs.filter(([, value]) => value)) as Record<string, string>
}

const foreignOrigin = new AppError({
  status: 403,
  code: 'foreign_origin',
  message: 'Pages of other sites may not use this endpoint.',
})

/** The protocol requires this against DNS rebinding. */
function requireOwnOrigin({ headers }: FastifyRequest, issuer: McpOptions['issuer']): void {
  if (headers.origin !== undefined && headers.origin !== new URL(issuer(headers.host)).origin)
    throw foreignOrigin
}
