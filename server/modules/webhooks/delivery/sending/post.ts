import type { IncomingHttpHeaders } from 'node:http'

import type { Dispatcher } from 'undici'

import { type ConnectionFailure, connectionFailureOf } from '../../../../platform/net/connection-failure.ts'
import { WEBHOOK_LIMITS } from '../../limits.ts'

export type AttemptOutcome =
  | { ok: true; status: number }
  | { ok: false; why: 'refused'; status: number; retryAfter: string | undefined }
  | { ok: false; why: ConnectionFailure | 'insecure' | 'called_off' | 'unreadable' }

/** Whether there was a response. */
export const hasResponse = (outcome: AttemptOutcome) => outcome.ok || outcome.why === 'refused'

export interface PostRequest {
  origin: string
  path: string
  headers: Record<string, string>
  body: Uint8Array
}

const NOW = Promise.resolve()
const OVER = new Error('the attempt is over')

/** An attempt in progress. */
export interface AttemptInFlight {
  /** It has its outcome, and the body of the response is still being read. */
  readonly isDraining: boolean
  /** Aborts it with this outcome, if it has none yet, and closes its connection. */
  abandon(why: 'timeout' | 'called_off'): void
}

/**
 * Makes one attempt; `onEnd` is called once, and never before this returns. Redirects are not followed: a receiver
 * that moved must tell its owner, not us.
 */
export function startAttemptRequest(
  agent: Dispatcher,
  request: PostRequest,
  onEnd: (outcome: AttemptOutcome) => void,
): AttemptInFlight {
  const reception = new ResponseHandler(onEnd)
  const { origin, path, headers, body } = request
  agent.dispatch({ origin, path, method: 'POST', headers, body }, reception)
  return reception
}

/**
 * Only the head of the response counts: with it the attempt is over, whatever happens to the body. The body is
 * discarded as it arrives, and aborted if it is long.
 */
class ResponseHandler implements Dispatcher.DispatchHandler, AttemptInFlight {
  #onEnd: ((outcome: AttemptOutcome) => void) | undefined
  #controller: Dispatcher.DispatchController | undefined
  #isOver = false
  #bytes = 0

  constructor(onEnd: (outcome: AttemptOutcome) => void) {
    this.#onEnd = onEnd
  }

  get isDraining(): boolean {
    return !this.#onEnd && !this.#isOver
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (!this.#onEnd) controller.abort(OVER)
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    // RFC 9110 §15.2: the final response is still to come.
    if (status < 200) return
    this.#end(judgeStatus(status, headers['retry-after']))
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#bytes += chunk.length
    if (this.#bytes > WEBHOOK_LIMITS.answerBytes) this.#close()
  }

  onResponseEnd(): void {
    this.#isOver = true
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.#isOver = true
    this.#end({ ok: false, why: connectionFailureOf(error) })
  }

  abandon(why: 'timeout' | 'called_off'): void {
    this.#end({ ok: false, why })
    this.#close()
  }

  #close(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#controller?.abort(OVER)
  }

  #end(outcome: AttemptOutcome): void {
    const onEnd = this.#onEnd
    this.#onEnd = undefined
    // A blocked address is refused before dispatch() returns. queueMicrotask would track the async context, at a cost.
    // oxlint-disable-next-line typescript/no-floating-promises -- A bug in `onEnd` is not to be hidden.
    if (onEnd) NOW.then(() => onEnd(outcome))
  }
}

function judgeStatus(status: number, retryAfter: string | string[] | undefined): AttemptOutcome {
  if (status >= 200 && status < 300) return { ok: true, status }
  return {
    ok: false,
    why: 'refused',
    status,
    retryAfter: Array.isArray(retryAfter) ? retryAfter[0] : retryAfter,
  }
}
