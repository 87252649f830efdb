import type { Dependencies } from '../../platform/dependencies.ts'

/** Runs a task repeatedly, with a pause after each end or failure. Returns a function that stops it. */
export function repeat(
  { clock, log }: Dependencies<'clock' | 'log'>,
  pauseMs: number,
  run: () => Promise<void>,
): () => Promise<void> {
  let stopped = false
  let callOff: (() => void) | undefined
  let running: Promise<void> | undefined

  function again(): void {
    if (stopped) return
    callOff = clock.after(pauseMs, () => {
      running = run()
        .catch((err: unknown) => log.error({ err }, 'a periodic task failed'))
        .then(again)
    })
  }
  again()

  return async () => {
    stopped = true
    callOff?.()
    await running
  }
}
