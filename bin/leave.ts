import type { Log } from '../server/platform/log.ts'
import { reportFailure } from './failure.ts'
import { LIMITS } from './limits.ts'

export interface Leaving {
  /** From the moment it is known that this process ends, although calls may still run for long. */
  isLeaving(): boolean
}

interface LeaveParts {
  /** Takes nothing new, lets running requests and calls finish, and ends the rest. */
  stop(): Promise<void>
  /** So long running calls may take. */
  drainMs: number
  log: Log
}

/**
 * How a process ends: when it is told to, and when something failed that nobody handled. That must not end the calls of
 * everybody else, but after it nobody knows what still works: so nothing new is taken, and a supervisor starts another.
 */
export function leaveInOrder({ stop, drainMs, log }: LeaveParts): Leaving {
  let isLeaving = false
  const leave = (code: 0 | 1) => {
    if (isLeaving) return
    isLeaving = true
    stop().then(() => process.exit(code), reportFailure)
  }

  function fail(err: unknown): void {
    log.fatal({ err }, isLeaving ? 'something failed that nobody handled' : FAILED)
    if (!isLeaving) setTimeout(() => process.exit(1), drainMs + LIMITS.stuckMs).unref()
    leave(1)
  }
  process.on('unhandledRejection', fail)
  process.on('uncaughtException', fail)
  // Who read the log is gone: that is no reason to end calls, and nobody could be told.
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
  'something failed that nobody handled: this process takes no new calls and requests, lets the running ones finish, and ends'
