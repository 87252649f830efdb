/** Time is passed in, so that a test can move it. */
export interface Clock {
  now(): Date
  /** Runs once after `ms`; the returned function calls it off. */
  after(ms: number, run: () => void): () => void
}

/** Lets time pass that nothing depends on but whoever waits for an answer; a test lets it pass at once. */
export type Pause = (ms: number) => Promise<void>

export const systemClock: Clock = {
  now: () => new Date(),
  after(ms, run) {
    const timer = setTimeout(run, ms)
    return () => clearTimeout(timer)
  },
}

/**
 * Waits for work that may never end, as when the database is away, but no longer than the limit. The work goes on
 * after that, and its failure is then nobody's.
 */
export function inTime<T>(
  clock: Clock,
  limitMs: number,
  work: Promise<T>,
): Promise<{ ok: true; value: T } | { ok: false }> {
  return new Promise((resolve, reject) => {
    const callOff = clock.after(limitMs, () => resolve({ ok: false }))
    work.then((value) => resolve({ ok: true, value }), reject).finally(callOff)
  })
}

export const pauseBy =
  (clock: Clock): Pause =>
  (ms) =>
    new Promise((resolve) => clock.after(ms, resolve))

export const systemPause = pauseBy(systemClock)
