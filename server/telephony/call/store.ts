import { type Clock, pauseBy } from '../../platform/clock.ts'
import type { Database, Tx } from '../../platform/db/database.ts'
import { mayPass } from '../../platform/db/passing-failure.ts'
import type { Log } from '../../platform/log.ts'
import { LIMITS } from '../limits.ts'

/** Writes what happened in a call. */
export type Store = <T>(run: (tx: Tx) => Promise<T>) => Promise<T>

/**
 * Tries again as long as what refuses it may pass and somebody still wants it. What never will pass, a constraint or a
 * type that is not kept, is a bug of ours and thrown at once: what comes after it must be written, too.
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
 * A conversation goes on whatever the database says, and what happened meanwhile is written when it can be. The
 * transactions behind this set states, so one whose answer was lost may run again.
 */
export const patientStore =
  ({ db, isOpen, ...parts }: StoreParts): Store =>
  (run) =>
    patiently(parts, () => db.tx(run), isOpen)

/** For what nothing may keep from being written: a call that never ends keeps its employee busy for good. */
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
