import type { FastifyInstance, FastifyRequest } from 'fastify'

import { RESOURCE_METADATA_PATH } from '../../modules/oauth/index.ts'
import { lazyAsync } from '../../platform/async/lazy.ts'
import { AppError } from '../../platform/errors.ts'
import { type Authenticators, requireActor } from '../request/authenticate.ts'
import { noteRequest } from '../request/request-log.ts'
import type { McpHandlerOptions } from './handler.ts'
import { MCP_LIMITS } from './limits.ts'

interface McpOptions extends McpHandlerOptions {
  credentials: Authenticators
  issuer(host: string | undefined): string
}

/** The API as an MCP server for language models. It is stateless: there are no sessions. */
export async function serveMcp(app: FastifyInstance, options: McpOptions): Promise<void> {
  const { credentials, issuer } = options
  let close: (() => Promise<void>) | undefined
  // Loaded with the first request: the library is a third of the code of the API, and few installations use it.
  const opened = lazyAsync(async () => {
    const { openMcpHandler } = await import('./handler.ts')
    const handler = openMcpHandler(app, options)
    close = handler.close
    return handler
  })

  await app.register(async (mcp) => {
    mcp.addHook('onRequest', async (request) => requireOwnOrigin(request, issuer))
    requireActor(mcp, credentials, {
      useOf: () => 'mcp',
      challenge({ headers }) {
        const document = `${issuer(headers.host)}${RESOURCE_METADATA_PATH}/mcp`
        return `Bearer error="invalid_token", resource_metadata="${document}"`
      },
    })
    mcp.addHook('preClose', async () => close?.())
    mcp.route({
      method: ['GET', 'POST', 'DELETE'],
      url: '/mcp',
      exposeHeadRoute: false,
      bodyLimit: MCP_LIMITS.messageBytes,
      handler: async (request, reply) => {
        const { handle } = await opened()
        noteRequest(request)
        reply.hijack()
        reply.raw.setHeader('x-request-id', request.id)
        await handle(request.raw, reply.raw, request.body)
      },
    })
  })
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
