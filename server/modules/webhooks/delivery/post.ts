import type { Dispatcher } from 'undici'

import type { Clock } from '../../../platform/clock.ts'
import { type ConnectionFailure, connectionFailureOf } from '../../../platform/connection-failure.ts'

export const LIMITS = { attemptMs: 15_000, answerBytes: 65_536 }

export type Outcome =
  | { ok: true; status: number }
  | { ok: false; why: 'refused'; status: number; retryAfter: string | undefined }
  | { ok: false; why: ConnectionFailure | 'insecure' | 'called_off' | 'unreadable' }

export interface Post {
  origin: string
  path: string
  headers: Record<string, string>
  body: string
}

/** An attempt under way. */
export interface Attempt {
  outcome: Promise<Outcome>
  callOff(): void
}

/**
 * One attempt. Redirects are not followed: a receiver that moved must say so to its owner, not to us. Of the answer
 * only the head counts, so the body is thrown away as it comes, and cut off where it gets long.
 */
export function post(agent: Dispatcher, clock: Clock, { origin, path, headers, body }: Post): Attempt {
  let settle: (outcome: Outcome) => void
  const outcome = new Promise<Outcome>((resolve) => (settle = resolve))
  let controller: Dispatcher.DispatchController | undefined
  let answer: Outcome | undefined
  let bytes = 0
  const end = (outcome: Outcome) => {
    stopTimer()
    settle(outcome)
  }
  const abandon = (outcome: Outcome) => {
    end(outcome)
    controller?.abort(new Error('the attempt is over'))
  }
  const stopTimer = clock.after(LIMITS.attemptMs, () => abandon({ ok: false, why: 'timeout' }))
  agent.dispatch(
    { origin, path, method: 'POST', headers, body },
    {
      onRequestStart(started) {
        controller = started
      },
      onResponseStart(_, status, answered) {
        answer = judgeStatus(status, answered['retry-after'])
      },
      onResponseData(_, chunk) {
        bytes += chunk.length
        if (bytes > LIMITS.answerBytes) abandon(answer!)
      },
      onResponseEnd: () => end(answer!),
      onResponseError: (_, error) => end({ ok: false, why: connectionFailureOf(error) }),
    },
  )
  return { outcome, callOff: () => abandon({ ok: false, why: 'called_off' }) }
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
