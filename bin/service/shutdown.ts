import type { Log } from '../../server/platform/log.ts'
import { ThreadDied } from '../../server/platform/thread/thread.ts'
import { reportFailure } from '../failure.ts'
import { LIMITS } from '../limits.ts'

export interface Shutdown {
  /** True as soon as this process is stopping, although calls may continue for long. */
  isLeaving(): boolean
}

interface LeaveParts {
  /** Accepts nothing new, waits for running requests and calls, and ends the rest. */
  stop(): Promise<void>
  /** How long live calls may continue. */
  drainMs: number
  log: Log
}

/**
 * How a process stops: on a signal, and after an unhandled error. Such an error must not end everybody's calls, but
 * nobody knows what still works after it: so nothing new is accepted, and a supervisor starts another process. Only
 * calls that have lost their thread, and with it their sound, are not waited for: others clean up after this process.
 */
export function shutDownGracefully({ stop, drainMs, log }: LeaveParts): Shutdown {
  let isLeaving = false
  const leave = (code: 0 | 1) => {
    if (isLeaving) return
    isLeaving = true
    stop().then(() => process.exit(code), reportFailure)
  }

  function fail(err: unknown): void {
    if (err instanceof ThreadDied) {
      log.fatal({ err }, 'a thread died, so this process exits')
      process.exit(1)
    }
    log.fatal({ err }, isLeaving ? 'an unhandled error' : FAILED)
    if (!isLeaving) setTimeout(() => process.exit(1), drainMs + LIMITS.stuckMs).unref()
    leave(1)
  }
  process.on('unhandledRejection', fail)
  process.on('uncaughtException', fail)
  // If the reader of the log is gone, that is no reason to end calls, and it cannot be reported.
  process.stderr.on('error', () => {})

  let signalledAt: number | undefined
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      const now = performance.now()
      if (signalledAt !== undefined && now - signalledAt > LIMITS.repeatedSignalMs) process.exit(1)
      if (signalledAt !== undefined) return
      signalledAt = now
      log.info({ signal }, 'stopping; running requests and calls finish first, a second signal stops at once')
      leave(0)
    })
  }
  return { isLeaving: () => isLeaving }
}

const FAILED =
  'an unhandled error: this process accepts no new calls and requests, lets the running ones finish, and stops'
