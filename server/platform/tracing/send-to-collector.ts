import type { Clock } from '../clock.ts'
import { parseJson } from '../text/parse-json.ts'
import type { SendSpans } from './exporter.ts'
import { TRACING_LIMITS } from './limits.ts'
import { otlpJson, type TracedProcess } from './otlp-json.ts'

/** Where spans are sent. */
export interface Collector {
  url: string
  headers: Record<string, string>
}

/** Those after which OTLP has a client try again. */
const PASSING = new Set([429, 502, 503, 504])

/** OTLP over HTTP, as JSON. */
export function sendToCollector({ url, headers }: Collector, traced: TracedProcess, clock: Clock): SendSpans {
  return async (spans) => {
    const attempt = new AbortController()
    const callOff = clock.after(TRACING_LIMITS.answerMs, () => attempt.abort())
    try {
      const answer = await fetch(url, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: otlpJson(traced, spans),
        // The headers may have a password, which is for this host alone.
        redirect: 'error',
        signal: attempt.signal,
      })
      const text = await answer.text()
      if (!answer.ok)
        return {
          reason: `status ${answer.status}: ${shortened(text)}`,
          isPassing: PASSING.has(answer.status),
        }
      const refused = refusedSpans(text)
      return refused === undefined ? undefined : { reason: shortened(refused), isPassing: false }
    } catch (error) {
      return { reason: attempt.signal.aborted ? 'no response in time' : whyOf(error), isPassing: true }
    } finally {
      callOff()
    }
  }
}

/** A collector may take a part of what it was sent. */
function refusedSpans(text: string): string | undefined {
  const { partialSuccess } = (parseJson(text) ?? {}) as {
    partialSuccess?: { rejectedSpans?: string | number; errorMessage?: string }
  }
  const count = Number(partialSuccess?.rejectedSpans ?? 0)
  return count > 0 ? `${count} spans were refused: ${partialSuccess?.errorMessage ?? ''}` : undefined
}

function whyOf(error: unknown): string {
  const cause = (error as { cause?: { code?: string; message?: string } }).cause
  return cause?.code ?? cause?.message ?? String(error)
}

const shortened = (text: string) => text.slice(0, TRACING_LIMITS.reasonCharacters)
