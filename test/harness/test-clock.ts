import type { Clock } from '../../server/platform/clock.ts'

export interface TestClock extends Clock {
  /** Moves time forward and runs what falls due on the way, in order. */
  advance(ms: number): void
}

/** Starts at the real time and moves only when told to. */
export function createTestClock(): TestClock {
  let now = Date.now()
  const due = new Set<{ at: number; run: () => void }>()
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
        const [next] = [...due].filter((entry) => entry.at <= end).toSorted((a, b) => a.at - b.at)
        if (!next) break
        due.delete(next)
        now = next.at
        next.run()
      }
      now = end
    },
  }
}
