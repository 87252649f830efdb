import type { FastifyInstance, FastifyRequest } from 'fastify'

import { AppError, fieldError } from '../../platform/errors.ts'
import { FORM, readForm } from '../../platform/http/form.ts'
import { FORM_LIMITS } from '../../platform/limits.ts'
import { API_LIMITS } from '../limits.ts'
import { noteRequest } from './request-log.ts'

export const BODY_BYTES_MAX = 1024 * 1024

const invalidJson = (message: string) => new AppError({ status: 400, code: 'invalid_json', message })

export const unsupportedMediaType = new AppError({
  status: 415,
  code: 'unsupported_media_type',
  message: 'Send the body as application/json.',
})

/** JSON in UTF-8; an empty body counts as none. Keys that could pollute a prototype are dropped like unknown fields. */
export function acceptJsonBodies(app: FastifyInstance): void {
  // It takes a callback and returns no promise.
  const parseSafely = app.getDefaultJsonParser('remove', 'remove') as (
    request: FastifyRequest,
    text: string,
    done: (error: Error | null, value?: unknown) => void,
  ) => void
  const utf8 = new TextDecoder('utf-8', { fatal: true })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, bytes, done) => {
    if (bytes.length === 0) return done(null, undefined)
    noteRequest(request)
    if (hasTooMuchInside(bytes as Buffer)) return done(tooMuchInside)
    let text: string
    try {
      text = utf8.decode(bytes as Buffer)
    } catch {
      return done(invalidJson('The body is not valid UTF-8.'))
    }
    parseSafely(request, text, (error, value) => {
      if (error) done(invalidJson('The body is not valid JSON.'))
      else if (isObject(value) && Object.keys(value).length > API_LIMITS.bodyFields) done(tooManyFields)
      else done(null, value)
    })
  })
}

const tooManyFields = fieldError('base', `may have at most ${API_LIMITS.bodyFields} fields`)
const tooMuchInside = invalidJson('The body has too many lists and objects.')

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const [LIST, OBJECT] = Buffer.from('[{')

/** Counts brackets, even inside strings: no valid request has that many. */
function hasTooMuchInside(bytes: Buffer): boolean {
  if (bytes.length <= API_LIMITS.bodyContainers) return false
  let containers = 0
  for (const byte of bytes) if (byte === LIST || byte === OBJECT) containers++
  return containers > API_LIMITS.bodyContainers
}

/** Form bodies, for the few routes that accept them; the last value of a repeated field counts. */
export function acceptFormBodies(app: FastifyInstance): void {
  app.addContentTypeParser(FORM, AS_FORM, async (_: unknown, text: string) =>
    Object.fromEntries(readForm(text)),
  )
}

export const AS_FORM = { parseAs: 'string', bodyLimit: FORM_LIMITS.bytes } as const

export const isForm = (request: FastifyRequest) =>
  request.headers['content-type']?.toLowerCase().startsWith(FORM) ?? false
