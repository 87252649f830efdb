import { inBackground } from '../../platform/background.ts'
import { type Clock, pauseBy } from '../../platform/clock.ts'
import type { Database, Tx } from '../../platform/db/database.ts'
import { isTransient } from '../../platform/db/transient-error.ts'
import type { Dependencies } from '../../platform/dependencies.ts'
import { PLATFORM_LIMITS } from '../../platform/limits.ts'
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

interface CallWriterParts extends Dependencies<'log'> {
  db: Pick<Database, 'tx' | 'step'>
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

interface EndingParts {
  edge: { log: Log; realTime: Clock }
  writeAtLast: CallWriter
}

/**
 * A call was refused because it could not be stored. If the connection broke, PostgreSQL may have committed it
 * nevertheless: `end` has to find such a call, which nobody else would ever end.
 */
export function endIfStored(
  { edge, writeAtLast }: EndingParts,
  err: unknown,
  end: (tx: Tx) => Promise<void>,
): void {
  if (!isTransient((err as { code?: string }).code ?? '')) return
  const check = async () => {
    await writeAtLast(end)
    // What was on its way when the connection broke may commit as late as this.
    await pauseBy(edge.realTime)(PLATFORM_LIMITS.statementMs)
    await writeAtLast(end)
  }
  inBackground(edge.log, 'end a call that may have been stored', check())
}
