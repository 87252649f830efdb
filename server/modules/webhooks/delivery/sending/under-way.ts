import type { Clock } from '../../../../platform/clock.ts'
import { type Attempt, LIMITS } from './post.ts'

/** Attempts that have not ended, each called off when its time is up. */
export interface UnderWay {
  /** `start` in ms since 1970. */
  add(attempt: Attempt, start: number): void
  remove(attempt: Attempt): void
  callOffAll(): void
}

export function createUnderWay(clock: Clock): UnderWay {
  /** When each began; the oldest first. */
  const attempts = new Map<Attempt, number>()
  let watching = false

  /** One timer for all: each may take as long as the others, so the oldest is the next to be called off. */
  function watch(): void {
    if (watching || attempts.size === 0) return
    watching = true
    const [oldest] = attempts.values()
    clock.after(oldest! + LIMITS.attemptMs - clock.now().getTime(), () => {
      watching = false
      for (const [attempt, since] of attempts) {
        if (clock.now().getTime() - since < LIMITS.attemptMs) break
        attempts.delete(attempt)
        attempt.abandon('timeout')
      }
      watch()
    })
  }

  return {
    add(attempt, start) {
      attempts.set(attempt, start)
      watch()
    },
    remove: (attempt) => attempts.delete(attempt),
    callOffAll() {
      for (const attempt of attempts.keys()) attempt.abandon('called_off')
    },
  }
}
