import { noteActivity } from '../platform/activity.ts'
import type { Clock } from '../platform/clock.ts'
import { FRAME_MS } from './audio/frame.ts'

/** Longer delays are not caught up: the process was suspended, or the system clock was set. */
const CATCH_UP_MS = 300

/** The clock of all calls: ticks every 20 ms while there are listeners, and catches up after delays. */
export function createFrameClock(clock: Clock) {
  const ticks = new Set<(atMs: number) => void>()
  let due = 0
  let cancel: (() => void) | undefined

  function wake(): void {
    noteActivity('the sound of all calls')
    const now = clock.now().getTime()
    if (Math.abs(now - due) > CATCH_UP_MS) due = now
    try {
      while (due <= now) {
        const atMs = due
        due += FRAME_MS
        for (const tick of ticks) tick(atMs)
      }
    } finally {
      // The next tick comes even if this one throws.
      cancel = undefined
      schedule()
    }
  }

  function schedule(): void {
    if (ticks.size === 0 || cancel) return
    // At most two frames, in case the system clock was set back.
    const waitMs = Math.min(2 * FRAME_MS, Math.max(0, due - clock.now().getTime()))
    cancel = clock.after(waitMs, wake)
  }

  return {
    /** Calls `tick` with the time at which it was due. Returns a function that stops it. */
    each(tick: (atMs: number) => void): () => void {
      if (ticks.size === 0) due = clock.now().getTime() + FRAME_MS
      ticks.add(tick)
      schedule()
      return () => {
        ticks.delete(tick)
        if (ticks.size > 0) return
        cancel?.()
        cancel = undefined
      }
    },
  }
}
