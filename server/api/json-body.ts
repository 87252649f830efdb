import type { FastifyInstance } from 'fastify'

import { AppError } from '../platform/errors.ts'

export const BODY_BYTES_MAX = 1024 * 1024

const invalidJson = (message: string) => new AppError({ status: 400, code: 'invalid_json', message })

/** JSON bodies only, in UTF-8; an empty body counts as none. Keys that could reach a prototype are refused. */
export function acceptJsonBodies(app: FastifyInstance): void {
  const parseSafely = app.getDefaultJsonParser('error', 'error')
  const utf8 = new TextDecoder('utf-8', { fatal: true })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, bytes, done) => {
    if (bytes.length === 0) return done(null, undefined)
    let text: string
    try {
      text = utf8.decode(bytes as Buffer)
    } catch {
      return done(invalidJson('The body is not valid UTF-8.'))
    }
    void parseSafely(request, text, (error, value) =>
      error ? done(invalidJson('The body is not valid JSON.')) : done(null, value),
    )
  })
}
