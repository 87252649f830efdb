import type { FastifyInstance } from 'fastify'

import type { CallbackReceiver } from '../modules/messages/index.ts'
import { LIMITS } from './limits.ts'

/** The two kinds, and the older name of each. What a callback is, it says itself. */
const KINDS = ['messages', 'delivery_reports', 'sms', 'sms_statuses']

interface CallbackOptions {
  receive: CallbackReceiver
  /** As providers know it: signatures cover the address. */
  baseUrl: () => string
}

/** Where SMS providers call: no credential but their signature, which is over the very bytes of the body. */
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
        { bodyLimit: LIMITS.callbackBytes },
        async ({ params, url, headers, body }, reply) => {
          const bytes = Buffer.isBuffer(body) ? body : Buffer.alloc(0)
          await receive(params.provider, { url: baseUrl() + url, headers, body: bytes })
          // Nothing in it: one provider would read instructions there, another only the status.
          return reply.code(200).send()
        },
      )
    }
  })
}
