import { Agent, fetch, type RequestInit } from 'undici'

import type { Clock } from '../../platform/clock.ts'
import { SPEECH_ENDPOINT_LIMITS } from '../limits.ts'
import { SpeechFailed } from '../port.ts'

/** An endpoint of an OpenAI-compatible API. */
export interface OpenAiEndpoint {
  /** Up to and including `/v1`. */
  url: string
  apiKey: string | undefined
  model: string
  answerMs: number
}

/** What was sent will never do, however often it is sent. */
const REFUSED = new Set([400, 413, 415, 422])

export interface OpenAiClient {
  /** Resolves to the JSON response. Rejects with SpeechFailed only. */
  ask(path: string, request: RequestInit): Promise<unknown>
  close(): Promise<void>
}

export function createOpenAiClient(
  { url, apiKey, answerMs }: Omit<OpenAiEndpoint, 'model'>,
  clock: Clock,
): OpenAiClient {
  const agent = new Agent({
    connections: SPEECH_ENDPOINT_LIMITS.connections,
    connect: { timeout: SPEECH_ENDPOINT_LIMITS.connectMs },
    headersTimeout: answerMs,
    bodyTimeout: answerMs,
    maxResponseSize: SPEECH_ENDPOINT_LIMITS.answerBytes,
  })
  const authorization = apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }

  return {
    async ask(path, { headers, ...request }) {
      const attempt = new AbortController()
      const callOff = clock.after(answerMs, () => attempt.abort())
      try {
        const answer = await fetch(`${url}${path}`, {
          method: 'POST',
          ...request,
          headers: { ...(headers as Record<string, string>), ...authorization },
          // A redirect could leak the recording to another host.
          redirect: 'error',
          signal: attempt.signal,
          dispatcher: agent,
        })
        const body = await answer.text()
        if (!answer.ok) throw refusal(answer.status)
        return JSON.parse(body) as unknown
      } catch (error) {
        if (error instanceof SpeechFailed) throw error
        if (attempt.signal.aborted)
          throw new SpeechFailed('timeout', `The endpoint did not respond within ${answerMs} ms.`)
        throw new SpeechFailed('engine', `The request to the endpoint failed: ${whyOf(error)}`)
      } finally {
        callOff()
      }
    },
    close: () => agent.destroy(),
  }
}

/** Without the endpoint's own message, which may quote the recording: reasons are logged. */
const refusal = (status: number) =>
  new SpeechFailed(
    REFUSED.has(status) ? 'refused' : 'engine',
    `The endpoint responded with status ${status}.`,
  )

function whyOf(error: unknown): string {
  const cause = (error as { cause?: { code?: string; message?: string } }).cause
  if (error instanceof SyntaxError) return 'the response is not JSON'
  return cause?.code ?? cause?.message ?? String(error)
}
