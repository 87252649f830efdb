import type { Clock } from '../../../../platform/clock.ts'
import { LIMITS } from '../../limits.ts'
import type { Attempt } from './post.ts'

/** Attempts in progress, each aborted after its timeout. */
export interface UnderWay {
  /** `start` in ms since 1970. */
  add(attempt: Attempt, start: number): void
  /** It has an outcome. The rest of its response is aborted before long. */
  remove(attempt: Attempt): void
  callOffAll(): void
}

export function createUnderWay(clock: Clock): UnderWay {
  const unanswered = createTimeLimit(clock, LIMITS.attemptMs)
  const draining = createTimeLimit(clock, LIMITS.answerDrainMs)
  return {
    add: unanswered.add,
    remove(attempt) {
      unanswered.attempts.delete(attempt)
      if (attempt.isDraining) draining.add(attempt, clock.now().getTime())
    },
    callOffAll() {
      for (const attempt of unanswered.attempts.keys()) attempt.abandon('called_off')
    },
  }
}

function createTimeLimit(clock: Clock, limitMs: number) {
  /** Their start times, oldest first. */
  const attempts = new Map<Attempt, number>()
  let watching = false

  /** One timer for all: they have the same timeout, so the oldest is the next to be aborted. */
  function watch(): void {
    if (watching || attempts.size === 0) return
    watching = true
    const [oldest] = attempts.values()
    clock.after(oldest! + limitMs - clock.now().getTime(), () => {
      watching = false
      for (const [attempt, since] of attempts) {
        if (clock.now().getTime() - since < limitMs) break
        attempts.delete(attempt)
        attempt.abandon('timeout')
      }
      watch()
    })
  }

  return {
    attempts,
    add(attempt: Attempt, start: number) {
      attempts.set(attempt, start)
      watch()
    },
  }
}
