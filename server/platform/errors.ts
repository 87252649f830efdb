import type { ZodError } from 'zod'

import { PLATFORM_LIMITS } from './limits.ts'

export type FieldErrors = Record<string, string[]>

/** The name of an error that belongs to no field, such as a body that is not an object. */
const WHOLE_BODY = 'base'

interface AppErrorOptions {
  status: number
  /** Stable: clients branch on it. */
  code: string
  /** A sentence that tells the client what to do. */
  message?: string
  /** With status 422: what is wrong with each field. If not given, the message counts for the whole request. */
  errors?: FieldErrors
  /** Additional fields of the response body. */
  body?: Record<string, unknown>
  headers?: Record<string, string>
  /** Our own error, which the client must not see; for the log. */
  cause?: unknown
}

/** A response other than the expected one; thrown once, mapped to HTTP once. */
export class AppError extends Error {
  readonly status: number
  readonly code: string
  readonly body: Record<string, unknown>
  readonly headers: Record<string, string>

  constructor({ status, code, message, errors, body = {}, headers = {}, cause }: AppErrorOptions) {
    super(message ?? code, { cause })
    this.name = 'AppError'
    this.status = status
    this.code = code
    this.body = {
      error: code,
      ...(message !== undefined && { message }),
      ...(status === 422 && { errors: errors ?? { [WHOLE_BODY]: [this.message] } }),
      ...body,
    }
    this.headers = headers
  }
}

/** Something that the operator must fix; the message is one sentence for them. */
export class OperatorError extends Error {}

export function fail(error: Error): never {
  throw error
}

export const notFound = () =>
  new AppError({ status: 404, code: 'not_found', message: 'There is nothing here with that id or path.' })

export const validationFailed = (errors: FieldErrors) =>
  new AppError({
    status: 422,
    code: 'validation_failed',
    message: sentence(errors),
    errors,
  })

export const fieldError = (field: string, message: string) => validationFailed({ [field]: [message] })

export function fieldErrors(error: ZodError): FieldErrors {
  const errors: FieldErrors = {}
  const reported = new Map<PropertyKey, number>()
  for (const { path, message } of error.issues) {
    const [top = WHOLE_BODY] = path
    const count = reported.get(top) ?? 0
    if (
      count >= PLATFORM_LIMITS.faultsPerField ||
      (count === 0 && reported.size >= PLATFORM_LIMITS.faultyFields)
    )
      continue
    const messages = (errors[path.length > 0 ? path.join('.') : WHOLE_BODY] ??= [])
    // Both sides of an intersection report a body that is not an object.
    if (messages.includes(message)) continue
    messages.push(message)
    reported.set(top, count + 1)
  }
  return errors
}

function sentence(errors: FieldErrors): string {
  return Object.entries(errors)
    .map(([field, messages]) => (field === WHOLE_BODY ? 'The body' : field) + ' ' + messages.join(' and '))
    .join('; ')
    .concat('.')
}
