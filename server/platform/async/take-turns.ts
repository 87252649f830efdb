interface TurnsOptions {
  /** So many run concurrently. */
  atOnce: number
  /** So many more wait. */
  waiting: number
  /** Thrown at whoever comes then. */
  tooMany: Error
}

/** Returns a function that runs what it is given, in order, with a limit. */
export function takeTurns({ atOnce, waiting: most, tooMany }: TurnsOptions) {
  let running = 0
  const waiting: (() => void)[] = []
  return async <T>(run: () => Promise<T>): Promise<T> => {
    if (running < atOnce) running++
    else if (waiting.length < most) await new Promise<void>((resolve) => waiting.push(resolve))
    else throw tooMany
    try {
      return await run()
    } finally {
      // Passes the turn on.
      const next = waiting.shift()
      if (next) next()
      else running--
    }
  }
}
