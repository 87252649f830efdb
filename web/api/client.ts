import createClient from 'openapi-fetch'

import { fetchFromService } from '../connection/reachability.ts'
import { leaveFor, sessionIsMissing } from '../connection/signed-out.ts'
import type { paths } from './schema.ts'

/** The public API, with the session cookie of this browser. */
export const client = createClient<paths>({
  baseUrl: '',
  credentials: 'same-origin',
  fetch: fetchFromService,
})

export type FieldErrors = Record<string, string[]>

/** An error of the API; its `message` is an English sentence, if there is one. */
export class ApiError extends Error {
  readonly status: number
  readonly code: string
  readonly fields: FieldErrors
  /** The whole response body. */
  readonly body: Record<string, unknown>

  constructor(status: number, body: Record<string, unknown>) {
    super([body.message, body.error].find((text) => typeof text === 'string') ?? '')
    this.name = 'ApiError'
    this.status = status
    this.code = typeof body.error === 'string' ? body.error : ''
    this.fields = (body.errors ?? {}) as FieldErrors
    this.body = body
  }
}

type Result<T> = { data?: T; error?: unknown; response: Response }

/** The response of the API; throws its error. Leads to the sign-in if the session is missing or incomplete. */
export async function answerOf<T>(asked: Promise<Result<T>>): Promise<T> {
  const { data, error, response } = await asked
  if (response.ok) return data as T
  const refusal = new ApiError(response.status, (error ?? {}) as Record<string, unknown>)
  if (refusal.status === 401) sessionIsMissing()
  if (refusal.code === 'two_factor_required') leaveFor('/account/two-factor/setup')
  throw refusal
}
