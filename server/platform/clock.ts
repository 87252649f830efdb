/** Time is passed in, so that a test can move it. */
export interface Clock {
  now(): Date
  /** Runs once after `ms`; the returned function calls it off. */
  after(ms: number, run: () => void): () => void
}

export const systemClock: Clock = {
  now: () => new Date(),
  after(ms, run) {
    const timer = setTimeout(run, ms)
    return () => clearTimeout(timer)
  },
}
