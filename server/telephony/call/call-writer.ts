import { type Clock, pauseBy } from '../../platform/clock.ts'
import type { Tx } from '../../platform/db/database.ts'
import { isTransient } from '../../platform/db/transient-error.ts'
import type { Dependencies } from '../../platform/dependencies.ts'
import type { Log } from '../../platform/log.ts'
import { TELEPHONY_LIMITS } from '../limits.ts'

/** Runs a transaction that stores what happened in a call. A `step` may commit early: it is `Database.step`. */
export type CallWriter = <T>(run: (tx: Tx) => Promise<T>, kind?: 'step') => Promise<T>

/**
 * Retries transient errors for as long as the result is wanted. Any other error, such as a violated constraint, is a
 * bug and thrown at once, so that later writes are not held up.
 */
export async function retryTransient<T>(
  { log, realTime }: { log: Log; realTime: Clock },
  run: () => Promise<T>,
  isWanted: () => boolean = () => true,
): Promise<T> {
  for (
    let waitMs = TELEPHONY_LIMITS.storeRetryMs;
    ;
    waitMs = Math.min(waitMs * 2, TELEPHONY_LIMITS.storeRetryMaxMs)
  ) {
    try {
      return await run()
    } catch (error) {
      const { code = '' } = error as { code?: string }
      if (!isTransient(code) || !isWanted()) throw error
      log.warn({ code }, 'a write of a call failed; calls continue, and it is retried')
      await pauseBy(realTime)(waitMs)
    }
  }
}

interface CallWriterParts extends Dependencies<'db' | 'log'> {
  realTime: Clock
  /** False once the edge leaves: then others write what it could not. */
  isOpen(): boolean
}

/**
 * A conversation does not depend on the database: what happened is written once that is possible. These transactions
 * set states, so one whose result was lost may run again.
 */
export const retryingWriter =
  ({ db, isOpen, ...parts }: CallWriterParts): CallWriter =>
  (run, kind) =>
    retryTransient(parts, () => (kind === 'step' ? db.step(run) : db.tx(run)), isOpen)

/** Retries every error. For the end of a call: without it the employee would stay busy for ever. */
export const endlesslyRetryingWriter =
  ({ db, isOpen, ...parts }: CallWriterParts): CallWriter =>
  async (run) => {
    for (;;) {
      try {
        return await retryTransient(parts, () => db.tx(run), isOpen)
      } catch (err) {
        if (!isOpen()) throw err
        parts.log.error({ err }, 'the end of a call could not be written; it is retried')
        await pauseBy(parts.realTime)(TELEPHONY_LIMITS.storeAgainMs)
      }
    }
  }

/** Each write waits until the previous one has succeeded or failed. */
export function serialWriter(store: CallWriter): CallWriter {
  let last: Promise<unknown> = Promise.resolve()
  return (run, kind) => {
    const write = () => store(run, kind)
    const written = last.then(write, write)
    last = written
    return written
  }
}
