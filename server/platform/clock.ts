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

export const systemPause: Pause = (ms) => new Promise((resolve) => systemClock.after(ms, resolve))
