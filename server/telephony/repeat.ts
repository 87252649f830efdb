import type { Clock } from '../platform/clock.ts'

/** Runs it again and again, each time so long after the last one ended. The returned function ends it. */
export function repeat(clock: Clock, pauseMs: number, run: () => Promise<void>): () => Promise<void> {
  let stopped = false
  let callOff: (() => void) | undefined
  let running: Promise<void> | undefined

  function again(): void {
    if (stopped) return
    callOff = clock.after(pauseMs, () => {
      running = run().then(again)
    })
  }
  again()

  return async () => {
    stopped = true
    callOff?.()
    await running
  }
}
