import type { Dispatcher } from 'undici'

import type { Clock } from '../../platform/clock.ts'
import { connectionFailureOf } from '../../platform/net/connection-failure.ts'
import { readWithin } from '../../platform/net/read-within.ts'
import { parseJson } from '../../platform/text/parse-json.ts'
import { CONTEXT_LIMITS } from './limits.ts'
import { type LookUpFailure, type LookUpOutcome, type LookUpRequest } from './port.ts'

/** What a request to a provider needs. */
export interface LookUpHttpClient {
  agent: Dispatcher
  clock: Clock
  /** For development and tests: allows http. */
  allowInsecure: boolean
}

/** Aborts a look-up at any point. */
export class LookUpFailed extends Error {
  readonly why: LookUpFailure
  readonly status: number | null

  constructor(why: LookUpFailure, status: number | null = null) {
    super(why)
    this.name = 'LookUpFailed'
    this.why = why
    this.status = status
  }
}

/** A look-up at one provider. */
export type LookUp = (question: LookUpRequest, signal: AbortSignal) => Promise<LookUpOutcome>

/** Runs a look-up with one timeout for all its requests. */
export async function withDeadline(
  clock: Clock,
  run: (signal: AbortSignal) => Promise<LookUpOutcome>,
): Promise<LookUpOutcome> {
  const attempt = new AbortController()
  const callOff = clock.after(CONTEXT_LIMITS.answerMs, () => attempt.abort())
  try {
    return await run(attempt.signal)
  } catch (error) {
    if (error instanceof LookUpFailed) return { is: 'failed', why: error.why, status: error.status }
    if (attempt.signal.aborted) return { is: 'failed', why: 'timeout', status: null }
    return { is: 'failed', why: connectionFailureOf(error), status: null }
  } finally {
    callOff()
  }
}

export interface JsonRequest {
  url: string
  headers: Record<string, string>
  /** Makes it a POST; without a body it is a GET. */
  body?: string
  /** Statuses that mean that the caller is unknown. */
  nobody?: readonly number[]
  signal: AbortSignal
}

/**
 * The JSON response to one request; undefined if the caller is unknown. Redirects are not followed: their target is
 * not ours to trust.
 */
export async function requestJson(
  { agent, allowInsecure }: LookUpHttpClient,
  request: JsonRequest,
): Promise<unknown> {
  const { origin, protocol, pathname, search } = new URL(request.url)
  if (protocol !== 'https:' && !allowInsecure) throw new LookUpFailed('insecure')
  const { signal, nobody = [] } = request
  const { statusCode, body } = await agent.request({
    origin,
    path: pathname + search,
    method: request.body === undefined ? 'GET' : 'POST',
    headers: { accept: 'application/json', 'user-agent': 'Bellhop-Context/1.0', ...request.headers },
    body: request.body,
    signal,
  })
  const ok = statusCode >= 200 && statusCode <= 299
  if (!ok || nobody.includes(statusCode)) {
    // The status is enough; the body is read only so that the connection can be reused.
    await body.dump({ limit: CONTEXT_LIMITS.answerBytes, signal }).catch(() => undefined)
    if (nobody.includes(statusCode)) return undefined
    throw new LookUpFailed('refused', statusCode)
  }
  const bytes = await readWithin(body, CONTEXT_LIMITS.answerBytes)
  if (!bytes) throw new LookUpFailed('too_large')
  // Whatever the Content-Type: many simple endpoints send none, or that of a page. Unlike Buffer, TextDecoder removes
  // a byte order mark.
  const answer = parseJson(new TextDecoder().decode(bytes))
  if (answer === undefined) throw new LookUpFailed('not_json', statusCode)
  return answer
}
