import { onTestFinished } from 'vitest'

import { type Clock, systemClock } from '../../server/platform/clock.ts'

export interface TestClock extends Clock {
  /** Moves time forward and runs what falls due on the way, in order. */
  advance(ms: number): void
}

const STEP_MS = 500

/**
 * Until the test is over the clock goes as that of a browser does. A live channel without a beat is taken for dead there,
 * opened anew, and everything is read again: a page that heard nothing would look as if it had.
 */
export function letTimePass(clock: TestClock): void {
  let last = performance.now()
  const timer = setInterval(() => {
    const now = performance.now()
    clock.advance(now - last)
    last = now
  }, STEP_MS)
  onTestFinished(() => clearInterval(timer))
}

/** Goes so many times as fast as the real time, for what would take long. */
export function createFastClock(times: number): Clock {
  const start = Date.now()
  return {
    now: () => new Date(start + (Date.now() - start) * times),
    after: (ms, run) => systemClock.after(ms / times, run),
  }
}

interface Due {
  at: number
  run: () => void
}

/** Starts at the real time, or another, and moves only when told to. */
export function createTestClock(start = new Date()): TestClock {
  let now = start.getTime()
  const due = new Set<Due>()
  return {
    now: () => new Date(now),
    after(ms, run) {
      const entry = { at: now + ms, run }
      due.add(entry)
      return () => due.delete(entry)
    },
    advance(ms) {
      const end = now + ms
      for (;;) {
        let next: Due | undefined
        for (const entry of due) if (entry.at <= end && (!next || entry.at < next.at)) next = entry
        if (!next) break
        due.delete(next)
        now = next.at
        next.run()
      }
      now = end
    },
  }
}
