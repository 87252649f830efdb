import { onTestFinished } from 'vitest'

import { type Clock, systemClock } from '../../server/platform/clock.ts'

export interface TestClock extends Clock {
  /** Moves time forward and runs the timers that become due, in order. */
  advance(ms: number): void
}

const STEP_MS = 500

/** The clocks that run, each once however often it was wished for, and up to what time they have run. */
const timePassing = new WeakMap<TestClock, { wishes: number; upTo: number }>()

/**
 * Until the test ends, or the file, the clock runs in real time, like the browser's. Without pings a page would reconnect
 * its live channel every few seconds and read everything again, which would hide that it missed a message.
 */
export function letTimePass(clock: TestClock, whenOver: (stop: () => void) => void = onTestFinished): void {
  const passing = timePassing.get(clock) ?? { wishes: 0, upTo: 0 }
  timePassing.set(clock, passing)
  if (passing.wishes++ === 0) passing.upTo = performance.now()
  const timer = setInterval(() => {
    const now = performance.now()
    clock.advance(now - passing.upTo)
    passing.upTo = now
  }, STEP_MS)
  whenOver(() => {
    clearInterval(timer)
    passing.wishes--
  })
}

/**
 * Moves time forward until the promise settles. A test that waits for a row cannot tell whether the process that wrote
 * it has set its timer yet, so a single step may come too early.
 */
export function passTimeUntil<T>(clock: TestClock, settled: Promise<T>, everyMs = 50): Promise<T> {
  const timer = setInterval(() => clock.advance(1_000), everyMs)
  return settled.finally(() => clearInterval(timer))
}

/** Runs `times` as fast as real time, for what would take long. */
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

/** Starts at the current or a given time, and moves only when advanced. */
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
