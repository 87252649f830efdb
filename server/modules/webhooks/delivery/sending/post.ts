import type { IncomingHttpHeaders } from 'node:http'

import type { Dispatcher } from 'undici'

import { type ConnectionFailure, connectionFailureOf } from '../../../../platform/net/connection-failure.ts'
import { LIMITS } from '../../limits.ts'

export type Outcome =
  | { ok: true; status: number }
  | { ok: false; why: 'refused'; status: number; retryAfter: string | undefined }
  | { ok: false; why: ConnectionFailure | 'insecure' | 'called_off' | 'unreadable' }

/** Whether there is somebody at the other end. */
export const isAnswer = (outcome: Outcome) => outcome.ok || outcome.why === 'refused'

export interface Post {
  origin: string
  path: string
  headers: Record<string, string>
  body: Uint8Array
}

const NOW = Promise.resolve()
const OVER = new Error('the attempt is over')

/** An attempt under way. */
export interface Attempt {
  /** It has its outcome, and the body of the answer is still coming. */
  readonly isDraining: boolean
  /** Gives it up with this outcome, if it has none yet; its connection is closed. */
  abandon(why: 'timeout' | 'called_off'): void
}

/**
 * One attempt; `onEnd` is called once, and never before this returns. Redirects are not followed: a receiver that
 * moved must say so to its owner, not to us.
 */
export function post(agent: Dispatcher, request: Post, onEnd: (outcome: Outcome) => void): Attempt {
  const reception = new Reception(onEnd)
  const { origin, path, headers, body } = request
  agent.dispatch({ origin, path, method: 'POST', headers, body }, reception)
  return reception
}

/**
 * Of the answer only the head counts: with it the attempt is over, whatever becomes of the body. That is thrown away
 * as it comes, and cut off where it gets long.
 */
class Reception implements Dispatcher.DispatchHandler, Attempt {
  #onEnd: ((outcome: Outcome) => void) | undefined
  #controller: Dispatcher.DispatchController | undefined
  #isOver = false
  #bytes = 0

  constructor(onEnd: (outcome: Outcome) => void) {
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
    // RFC 9110 §15.2: the answer itself is yet to come.
    if (status < 200) return
    this.#end(judgeStatus(status, headers['retry-after']))
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#bytes += chunk.length
    if (this.#bytes > LIMITS.answerBytes) this.#close()
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

  #end(outcome: Outcome): void {
    const onEnd = this.#onEnd
    this.#onEnd = undefined
    // A blocked address is refused before dispatch() has returned. queueMicrotask would track who asked, at a price.
    // oxlint-disable-next-line typescript/no-floating-promises -- A bug in `onEnd` is not to be hidden.
    if (onEnd) NOW.then(() => onEnd(outcome))
  }
}

function judgeStatus(status: number, retryAfter: string | string[] | undefined): Outcome {
  if (status >= 200 && status < 300) return { ok: true, status }
  return {
    ok: false,
    why: 'refused',
    status,
    retryAfter: Array.isArray(retryAfter) ? retryAfter[0] : retryAfter,
  }
}
