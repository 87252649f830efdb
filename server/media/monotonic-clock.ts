import { type Clock, systemClock } from '../platform/clock.ts'

/** With a tick every 20 ms, a longer step means that the system clock was set, or the machine was suspended. */
const STEP_MS_MAX = 1_000

/**
 * A clock that ignores changes of the system clock: calls measure durations, and a correction of the time of day must
 * neither end them nor keep them alive. It is read at every frame.
 */
export function monotonicClock(clock: Clock): Clock & { nowMs(): number } {
  // Read for every packet: a Date for each would cost more than all that is done with it.
  const wallClockMs = clock === systemClock ? Date.now : () => clock.now().getTime()
  let correctionMs = 0
  let lastMs: number | undefined

  function nowMs(): number {
    const wallMs = wallClockMs()
    const step = lastMs === undefined ? 0 : wallMs + correctionMs - lastMs
    if (step < 0 || step > STEP_MS_MAX) correctionMs = lastMs! - wallMs
    lastMs = wallMs + correctionMs
    return lastMs
  }

  return { after: (ms, run) => clock.after(ms, run), now: () => new Date(nowMs()), nowMs }
}
