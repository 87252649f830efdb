import type { Clock } from '../platform/clock.ts'

/** Longer than this nobody was away who ticks every 20 ms: the clock of the machine was set, or it slept. */
const STEP_MS_MAX = 1_000

/**
 * The same clock, but one that nobody sets: what is measured in calls is how long things take, and a correction of
 * the time of day must neither end them nor keep them alive. It is asked at every frame.
 */
export function steadyClock(clock: Clock): Clock {
  let correctionMs = 0
  let lastMs: number | undefined
  return {
    after: (ms, run) => clock.after(ms, run),
    now() {
      const wallMs = clock.now().getTime()
      const step = lastMs === undefined ? 0 : wallMs + correctionMs - lastMs
      if (step < 0 || step > STEP_MS_MAX) correctionMs = lastMs! - wallMs
      lastMs = wallMs + correctionMs
      return new Date(lastMs)
    },
  }
}
