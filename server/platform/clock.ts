/** Time is injected so that tests can control it. */
export interface Clock {
  now(): Date
  /** Runs once after `ms`. Returns a function that cancels it. */
  after(ms: number, run: () => void): () => void
}

/** A delay that only makes somebody wait for a response; it takes no time in tests. */
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
export function withTimeout<T>(
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
