import type { Dependencies } from '../../platform/dependencies.ts'

/**
 * Runs a task repeatedly, with a pause after each end or failure, or a shorter one if the task says so. Returns a
 * function that stops it.
 */
export function repeat(
  { clock, log }: Dependencies<'clock' | 'log'>,
  pauseMs: number,
  run: () => Promise<number | void>,
): () => Promise<void> {
  let stopped = false
  let callOff: (() => void) | undefined
  let running: Promise<void> | undefined

  function again(nextMs = pauseMs): void {
    if (stopped) return
    callOff = clock.after(Math.min(nextMs, pauseMs), () => {
      running = run()
        .catch((err: unknown) => log.error({ err }, 'a periodic task failed'))
        .then((next) => again(next ?? pauseMs))
    })
  }
  again()

  return async () => {
    stopped = true
    callOff?.()
    await running
  }
}
