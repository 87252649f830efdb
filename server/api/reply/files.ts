import type { FastifyInstance } from 'fastify'

import { FILES_PATH, type SignedLinks } from '../../platform/crypto/signed-links.ts'
import { AppError, notFound } from '../../platform/errors.ts'
import type { Storage } from '../../providers/storage/port.ts'
import { readRange } from './byte-range.ts'

const linkExpired = new AppError({
  status: 403,
  code: 'link_expired',
  message: 'This link is invalid or has expired. Get a new one from the API.',
})

/** Serves stored audio through signed links, in ranges on request, so that a player can seek. */
export function serveFiles(
  app: FastifyInstance,
  { links, storage }: { links: SignedLinks; storage: Storage },
): void {
  app.get<{ Params: { '*': string }; Querystring: Record<string, unknown> }>(
    `${FILES_PATH}*`,
    async (request, reply) => {
      const key = links.open(request.params['*'], request.query)
      if (key === undefined) throw linkExpired
      const size = await storage.size(key)
      if (size === undefined) throw notFound()
      reply.headers({
        'content-type': 'audio/wav',
        'accept-ranges': 'bytes',
        'cache-control': 'private, max-age=300',
        'cross-origin-resource-policy': 'cross-origin',
      })
      const range = readRange(request.headers.range, size)
      if (range === 'unsatisfiable') return reply.code(416).header('content-range', `bytes */${size}`).send()
      if (!range) return reply.header('content-length', size).send(await storage.read(key))
      return reply
        .code(206)
        .header('content-range', `bytes ${range.start}-${range.end}/${size}`)
        .header('content-length', range.end - range.start + 1)
        .send(await storage.read(key, range))
    },
  )
}
