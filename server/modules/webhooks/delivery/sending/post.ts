import type { IncomingHttpHeaders } from 'node:http'

import type { Dispatcher } from 'undici'

import { type ConnectionFailure, connectionFailureOf } from '../../../../platform/connection-failure.ts'

export const LIMITS = { attemptMs: 15_000, answerBytes: 65_536 }

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

/** An attempt under way. */
export interface Attempt {
  /** Gives it up with this outcome, if it has none yet. */
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

/** Of the answer only the head counts, so the body is thrown away as it comes, and cut off where it gets long. */
class Reception implements Dispatcher.DispatchHandler, Attempt {
  #onEnd: ((outcome: Outcome) => void) | undefined
  #controller: Dispatcher.DispatchController | undefined
  #answer: Outcome | undefined
  #bytes = 0

  constructor(onEnd: (outcome: Outcome) => void) {
    this.#onEnd = onEnd
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (!this.#onEnd) controller.abort(new Error('the attempt is over'))
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    this.#answer = judgeStatus(status, headers['retry-after'])
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#bytes += chunk.length
    if (this.#bytes > LIMITS.answerBytes) this.#cut(this.#answer!)
  }

  onResponseEnd(): void {
    this.#end(this.#answer!)
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.#end({ ok: false, why: connectionFailureOf(error) })
  }

  abandon(why: 'timeout' | 'called_off'): void {
    this.#cut({ ok: false, why })
  }

  #cut(outcome: Outcome): void {
    this.#end(outcome)
    this.#controller?.abort(new Error('the attempt is over'))
  }

  #end(outcome: Outcome): void {
    const onEnd = this.#onEnd
    this.#onEnd = undefined
    // A blocked address is refused before dispatch() has returned. queueMicrotask would track who asked, at a price.
    if (onEnd) void NOW.then(() => onEnd(outcome))
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
