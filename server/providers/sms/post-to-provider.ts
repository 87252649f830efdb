import { Agent, type Dispatcher } from 'undici'
import type { z } from 'zod'

import type { Clock } from '../../platform/clock.ts'
import { parseJson } from '../../platform/text/parse-json.ts'
import { SMS_PROVIDER_LIMITS } from './limits.ts'
import type { SendOutcome, SmsProviderName } from './port.ts'

/** What it takes to ask a provider. */
export interface SmsHttpClient {
  agent: Dispatcher
  clock: Clock
  /** Timeout of the provider's response. */
  answerMs: number
}

/** A new connection for each request: a kept one that is just being closed would lose the response. */
export function createSmsAgent(): Agent {
  return new Agent({
    pipelining: 0,
    connections: SMS_PROVIDER_LIMITS.connections,
    connect: { timeout: SMS_PROVIDER_LIMITS.connectMs },
    maxResponseSize: SMS_PROVIDER_LIMITS.answerBytes,
  })
}

interface Question {
  url: string
  headers: Record<string, string>
  body: string
}

type Asked =
  | { is: 'answered'; status: number; body: unknown }
  /** There was no connection, so the provider cannot have received it. */
  | { is: 'unsent' }
  | { is: 'lost' }

async function ask(
  { agent, clock, answerMs }: SmsHttpClient,
  { url, headers, body }: Question,
): Promise<Asked> {
  const { origin, pathname, search } = new URL(url)
  const attempt = new AbortController()
  const callOff = clock.after(answerMs, () => attempt.abort())
  try {
    const answer = await agent.request({
      origin,
      path: pathname + search,
      method: 'POST',
      headers,
      body,
      signal: attempt.signal,
    })
    // The status is enough: an error status counts, whatever happens to its body.
    const text = await answer.body.text().catch(() => '')
    return { is: 'answered', status: answer.statusCode, body: parseJson(text) }
  } catch (error) {
    return { is: NO_CONNECTION.test(codeOf(error)) ? 'unsent' : 'lost' }
  } finally {
    callOff()
  }
}

const NO_CONNECTION =
  /^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|UND_ERR_CONNECT_TIMEOUT|ERR_TLS_CERT_\w+|\w*CERT_\w+)$/

function codeOf(error: unknown): string {
  return String((error as NodeJS.ErrnoException).code)
}

interface Reading<A extends z.ZodType, R extends z.ZodType> {
  provider: SmsProviderName
  /** The response if the text was accepted. */
  Accepted: A
  accepted(answer: z.output<A>): { providerMessageId: string; parts: number | null }
  /** The response if it was refused. */
  Refused: R
  /** The provider's error number. */
  refusal(answer: z.output<R>): string | number | null | undefined
}

/** Our credentials, balance or rate limit: not the text itself was refused. */
const UNAVAILABLE = new Set([401, 402, 429])
/** RFC 9110 §15.5.9: the server timed out waiting for the request. */
const TIMED_OUT = 408

/** Sends a text, once, and parses the response. */
export async function postToProvider<A extends z.ZodType, R extends z.ZodType>(
  line: SmsHttpClient,
  question: Question,
  reading: Reading<A, R>,
): Promise<SendOutcome> {
  const asked = await ask(line, question)
  if (asked.is === 'unsent') return unavailable
  if (asked.is === 'lost') return { is: 'unknown' }
  const { status, body } = asked
  if (status >= 200 && status < 300) {
    const taken = reading.Accepted.safeParse(body)
    return taken.success ? { is: 'accepted', ...reading.accepted(taken.data) } : { is: 'unknown' }
  }
  if (status < 400 || status >= 500 || status === TIMED_OUT) return { is: 'unknown' }
  if (UNAVAILABLE.has(status)) return unavailable
  const refused = reading.Refused.safeParse(body)
  const failureCode = numericCode(reading.provider, refused.success ? reading.refusal(refused.data) : null)
  return { is: 'refused', error: 'provider_rejected', failureCode: failureCode ?? 'provider_rejected' }
}

const unavailable: SendOutcome = {
  is: 'refused',
  error: 'sending_unavailable',
  failureCode: 'sending_unavailable',
}

/** `twilio_30003`; only numbers of a provider are passed on. */
export function numericCode(
  provider: SmsProviderName,
  number: string | number | null | undefined,
): string | null {
  const digits = String(number ?? '')
  return /^\d{1,10}$/.test(digits) ? `${provider}_${digits}` : null
}
