import type { Socket } from 'node:net'

import type { ConnectionError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import { AppError, notFound } from '../../platform/errors.ts'
import { replyOnSocket } from '../../platform/http/socket-reply.ts'
import { API_LIMITS } from '../limits.ts'
import { unsupportedMediaType } from '../request/bodies.ts'
import type { DefaultHeaders } from './default-headers.ts'

const bodyTooLarge = new AppError({
  status: 413,
  code: 'body_too_large',
  message:
    'The body is too large: JSON may have at most 1 MiB, a form 16 KiB, and a message to /mcp 256 KiB.',
})

/** Errors of the framework, in our format. */
const FRAMEWORK_REFUSALS: Record<string, AppError> = {
  FST_ERR_CTP_BODY_TOO_LARGE: bodyTooLarge,
  FST_ERR_CTP_INVALID_MEDIA_TYPE: unsupportedMediaType,
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: new AppError({
    status: 400,
    code: 'invalid_request',
    message: 'The length of the body differs from its Content-Length header.',
  }),
  FST_ERR_BAD_URL: new AppError({
    status: 400,
    code: 'invalid_url',
    message: 'The path has a malformed % escape.',
  }),
  FST_ERR_MAX_PARAM_LENGTH: notFound(),
}

const malformedRequest = new AppError({
  status: 400,
  code: 'invalid_request',
  message: 'The request is not valid HTTP.',
})

const requestAborted = new AppError({
  status: 400,
  code: 'request_aborted',
  message: 'The connection closed before the request was complete.',
})

const BROKEN_REQUESTS: Record<string, AppError> = {
  HPE_HEADER_OVERFLOW: new AppError({
    status: 431,
    code: 'headers_too_large',
    message: 'The URL and the headers together may have at most 16 KiB.',
  }),
  ERR_HTTP_REQUEST_TIMEOUT: new AppError({
    status: 408,
    code: 'request_timeout',
    message: 'The request did not arrive in time. Send it again.',
  }),
}

const internalError = new AppError({
  status: 500,
  code: 'internal_error',
  message: 'Something went wrong on our side. Try again in a moment.',
})

export function replyToErrors(app: FastifyInstance): void {
  app.setErrorHandler(replyTo)
}

export function replyTo(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const answer = appErrorOf(error, request)
  discardRest(answer, request, reply)
  return reply
    .code(answer.status)
    .headers(answer.headers)
    .type('application/json; charset=utf-8')
    .send(answer.body)
}

/**
 * The rest of a body that is too large is read and discarded. The framework would close the connection, which resets
 * it, and a proxy that is still sending would report a 502 instead of our response.
 */
export function discardRest(answer: AppError, { headers }: FastifyRequest, reply: FastifyReply): void {
  const isSoonOver = Number(headers['content-length']) <= API_LIMITS.discardedBytes
  if (answer === bodyTooLarge && isSoonOver) reply.removeHeader('connection')
}

/** The error for the client; an internal one is logged. */
export function appErrorOf(error: unknown, request: FastifyRequest): AppError {
  const answer = hasLeft(request) ? requestAborted : toAppError(error)
  const fault = answer === internalError ? error : answer.cause
  if (fault !== undefined) request.log.error({ reqId: request.id, err: fault }, 'request failed')
  return answer
}

/** Responds on the bare socket to what is not valid HTTP. */
export function replyToBrokenRequest(error: ConnectionError, socket: Socket, standing: DefaultHeaders): void {
  if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy()
  else replyOnSocket(socket, BROKEN_REQUESTS[error.code] ?? malformedRequest, standing)
}

/** The client disconnected before its request was complete: not our error, and nobody reads the response. */
function hasLeft({ raw }: FastifyRequest): boolean {
  return raw.destroyed && !raw.complete
}

function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error
  const { code, statusCode } = (error ?? {}) as { code?: unknown; statusCode?: unknown }
  if (typeof code !== 'string' || !code.startsWith('FST_')) return internalError
  const isRefusal = typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500
  return FRAMEWORK_REFUSALS[code] ?? (isRefusal ? malformedRequest : internalError)
}
