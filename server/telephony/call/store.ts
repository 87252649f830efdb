import { type Clock, pauseBy } from '../../platform/clock.ts'
import type { Database, Tx } from '../../platform/db/database.ts'
import { mayPass } from '../../platform/db/passing-failure.ts'
import type { Log } from '../../platform/log.ts'
import { LIMITS } from '../limits.ts'

/** Runs a transaction that stores what happened in a call. */
export type Store = <T>(run: (tx: Tx) => Promise<T>) => Promise<T>

/**
 * Retries transient errors for as long as the result is wanted. Any other error, such as a violated constraint, is a
 * bug and thrown at once, so that later writes are not held up.
 */
export async function patiently<T>(
  { log, realTime }: { log: Log; realTime: Clock },
  run: () => Promise<T>,
  isWanted: () => boolean = () => true,
): Promise<T> {
  for (let waitMs = LIMITS.storeRetryMs; ; waitMs = Math.min(waitMs * 2, LIMITS.storeRetryMaxMs)) {
    try {
      return await run()
    } catch (error) {
      const { code = '' } = error as { code?: string }
      if (!mayPass(code) || !isWanted()) throw error
      log.warn({ code }, 'the database refuses; calls go on, and it is tried again')
      await pauseBy(realTime)(waitMs)
    }
  }
}

interface StoreParts {
  db: Database
  log: Log
  realTime: Clock
  /** False once the edge leaves: then others write what it could not. */
  isOpen(): boolean
}

/**
 * A conversation does not depend on the database: what happened is written once that is possible. These transactions
 * set states, so one whose result was lost may run again.
 */
export const patientStore =
  ({ db, isOpen, ...parts }: StoreParts): Store =>
  (run) =>
    patiently(parts, () => db.tx(run), isOpen)

/** Retries every error. For the end of a call: without it the employee would stay busy for ever. */
export const stubbornStore =
  ({ db, isOpen, ...parts }: StoreParts): Store =>
  async (run) => {
    for (;;) {
      try {
        return await patiently(parts, () => db.tx(run), isOpen)
      } catch (err) {
        if (!isOpen()) throw err
        parts.log.error({ err }, 'what must be written was refused; it is tried again')
        await pauseBy(parts.realTime)(LIMITS.storeAgainMs)
      }
    }
  }

/** Each write waits until the previous one has succeeded or failed. */
export function inOrder(store: Store): Store {
  let last: Promise<unknown> = Promise.resolve()
  return (run) => {
    const write = () => store(run)
    const written = last.then(write, write)
    last = written
    return written
  }
}
