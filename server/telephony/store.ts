import type { Clock } from '../platform/clock.ts'
import type { Database, Tx } from '../platform/db/database.ts'
import type { Log } from '../platform/log.ts'
import { LIMITS } from './limits.ts'

/** Writes what happened in a call. */
export type Store = <T>(run: (tx: Tx) => Promise<T>) => Promise<T>

/** PostgreSQL is starting, stopping, out of connections or unreachable; or gave way to another transaction. */
const PASSES =
  /^(08...|57P0[1-5]|53300|40001|40P01|CONNECTION_.*|CONNECT_TIMEOUT|ECONN.*|ENOENT|EPIPE|ETIMEDOUT)$/

/**
 * A conversation goes on while the database is away, and what happened meanwhile is written when it is back. The
 * transactions behind this set states, so one whose answer was lost may run again.
 */
export function patientStore(db: Database, realTime: Clock, log: Log): Store {
  return async (run) => {
    const since = realTime.now().getTime()
    for (;;) {
      try {
        return await db.tx(run)
      } catch (error) {
        const { code = '' } = error as { code?: string }
        const waitedMs = realTime.now().getTime() - since
        if (!PASSES.test(code) || waitedMs > LIMITS.storeWaitMs) throw error
        log.warn({ code }, 'the database is away; calls go on')
        await new Promise<void>((resolve) => realTime.after(LIMITS.storeRetryMs, resolve))
      }
    }
  }
}

/** Each waits until the one before is written, or given up. */
export function inOrder(store: Store): Store {
  let last: Promise<unknown> = Promise.resolve()
  return (run) => {
    const write = () => store(run)
    const written = last.then(write, write)
    last = written
    return written
  }
}
