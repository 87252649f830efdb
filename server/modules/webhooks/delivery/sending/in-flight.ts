import type { Clock } from '../../../../platform/clock.ts'
import { WEBHOOK_LIMITS } from '../../limits.ts'
import type { AttemptInFlight } from './post.ts'

/** Attempts in progress, each aborted after its timeout. */
export function createInFlightAttempts(clock: Clock) {
  const unanswered = createTimeLimit(clock, WEBHOOK_LIMITS.attemptMs)
  const draining = createTimeLimit(clock, WEBHOOK_LIMITS.answerDrainMs)
  return {
    /** `start` in ms since 1970. */
    add: unanswered.add,
    /** It has an outcome. The rest of its response is aborted before long. */
    remove(attempt: AttemptInFlight): void {
      unanswered.attempts.delete(attempt)
      if (attempt.isDraining) draining.add(attempt, clock.now().getTime())
    },
    callOffAll(): void {
      for (const attempt of unanswered.attempts.keys()) attempt.abandon('called_off')
    },
  }
}

function createTimeLimit(clock: Clock, limitMs: number) {
  /** Their start times, oldest first. */
  const attempts = new Map<AttemptInFlight, number>()
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
    add(attempt: AttemptInFlight, start: number) {
      attempts.set(attempt, start)
      watch()
    },
  }
}
