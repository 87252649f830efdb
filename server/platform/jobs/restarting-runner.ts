import { once } from 'node:events'

import type { Runner } from 'graphile-worker'

import { systemPause } from '../clock.ts'
import { PLATFORM_LIMITS } from '../limits.ts'
import type { Log } from '../log.ts'

/**
 * The job library stops a runner silently when it learns of a breaking change of its tables: the process would stay
 * up without running jobs. So another runner is started, which works, or logs why it cannot.
 */
export async function startRestartingRunner(
  start: () => Promise<Runner>,
  log: Log,
): Promise<{ stop(): Promise<void> }> {
  const stopping = new AbortController()
  const stopped = once(stopping.signal, 'abort').then(() => 'stopped' as const)
  const tryToStart = () =>
    start().catch((err: unknown) => {
      log.error({ err }, 'the job runner could not be started')
      return undefined
    })

  const keepRunning = async (first: Runner) => {
    for (let runner: Runner | undefined = first; ; runner = await tryToStart()) {
      if (runner) {
        if ((await Promise.race([stopped, endOf(runner)])) === 'stopped') return runner.stop()
        log.error('the job runner stopped by itself; starting another')
      }
      await Promise.race([stopped, systemPause(PLATFORM_LIMITS.runnerRestartMs)])
      if (stopping.signal.aborted) return
    }
  }
  const running = keepRunning(await start())
  return {
    stop() {
      stopping.abort()
      return running
    },
  }
}

/** The library logs why it failed. */
const endOf = (runner: Runner) =>
  runner.promise.then(
    () => 'ended' as const,
    () => 'ended' as const,
  )
