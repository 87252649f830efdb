import { nowDoing } from '../platform/activity.ts'
import type { Clock } from '../platform/clock.ts'
import { FRAME_MS } from './audio/frame.ts'

/** The one clock of all calls: ticks every 20 ms as long as somebody listens, and makes up for every delay. */
export interface FrameClock {
  /** Calls `tick` with the time at which it was due; the returned function ends that. */
  each(tick: (atMs: number) => void): () => void
}

/** What is late by more is not made up for: the process stood still, or somebody set the clock of the machine. */
const CATCH_UP_MS = 300

export function createFrameClock(clock: Clock): FrameClock {
  const ticks = new Set<(atMs: number) => void>()
  let due = 0
  let cancel: (() => void) | undefined

  function wake(): void {
    nowDoing('the sound of all calls')
    const now = clock.now().getTime()
    if (Math.abs(now - due) > CATCH_UP_MS) due = now
    try {
      while (due <= now) {
        const atMs = due
        due += FRAME_MS
        for (const tick of ticks) tick(atMs)
      }
    } finally {
      // Whatever happened in a tick, the next one comes.
      cancel = undefined
      schedule()
    }
  }

  function schedule(): void {
    if (ticks.size === 0 || cancel) return
    // Never longer than two frames, should the clock of the machine have been set back.
    const waitMs = Math.min(2 * FRAME_MS, Math.max(0, due - clock.now().getTime()))
    cancel = clock.after(waitMs, wake)
  }

  return {
    each(tick) {
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
