import type { FastifyInstance, FastifyRequest } from 'fastify'

import { AppError } from '../platform/errors.ts'
import { FORM, FORM_LIMITS, readForm } from '../platform/http/form.ts'
import { noteRequest } from './follow-requests.ts'

export const BODY_BYTES_MAX = 1024 * 1024

const invalidJson = (message: string) => new AppError({ status: 400, code: 'invalid_json', message })

export const unsupportedMediaType = new AppError({
  status: 415,
  code: 'unsupported_media_type',
  message: 'Send the body as application/json.',
})

/** JSON in UTF-8; an empty body counts as none. Keys that could reach a prototype are refused. */
export function acceptJsonBodies(app: FastifyInstance): void {
  // It calls back, and gives no promise.
  const parseSafely = app.getDefaultJsonParser('error', 'error') as (
    request: FastifyRequest,
    text: string,
    done: (error: Error | null, value?: unknown) => void,
  ) => void
  const utf8 = new TextDecoder('utf-8', { fatal: true })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, bytes, done) => {
    if (bytes.length === 0) return done(null, undefined)
    noteRequest(request)
    let text: string
    try {
      text = utf8.decode(bytes as Buffer)
    } catch {
      return done(invalidJson('The body is not valid UTF-8.'))
    }
    parseSafely(request, text, (error, value) =>
      error ? done(invalidJson('The body is not valid JSON.')) : done(null, value),
    )
  })
}

/** Forms, for the few routes that take them; of a repeated field the last value counts. */
export function acceptFormBodies(app: FastifyInstance): void {
  app.addContentTypeParser(FORM, AS_FORM, async (_: unknown, text: string) =>
    Object.fromEntries(readForm(text)),
  )
}

export const AS_FORM = { parseAs: 'string', bodyLimit: FORM_LIMITS.bytes } as const

export const isForm = (request: FastifyRequest) =>
  request.headers['content-type']?.toLowerCase().startsWith(FORM) ?? false
