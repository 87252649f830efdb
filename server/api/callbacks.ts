import type { FastifyInstance } from 'fastify'

import type { CallbackReceiver } from '../modules/messages/index.ts'
import { API_LIMITS } from './limits.ts'

/** The two kinds, and the older name of each. The callback itself says what it is. */
const KINDS = ['messages', 'delivery_reports', 'sms', 'sms_statuses']

interface CallbackOptions {
  receive: CallbackReceiver
  /** As providers know it, because signatures cover the URL. */
  baseUrl: () => string
}

/** Callbacks of SMS providers, authenticated by a signature over the exact bytes of the body. */
export async function serveCallbacks(
  app: FastifyInstance,
  { receive, baseUrl }: CallbackOptions,
): Promise<void> {
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_, body, done) => done(null, body))
    for (const kind of KINDS) {
      scope.post<{ Params: { provider: string } }>(
        `/webhooks/:provider/${kind}`,
        { bodyLimit: API_LIMITS.callbackBytes },
        async ({ params, url, headers, body }, reply) => {
          const bytes = Buffer.isBuffer(body) ? body : Buffer.alloc(0)
          await receive(params.provider, { url: baseUrl() + url, headers, body: bytes })
          // An empty body: one provider would read instructions in it, another reads only the status.
          return reply.code(200).send()
        },
      )
    }
  })
}
