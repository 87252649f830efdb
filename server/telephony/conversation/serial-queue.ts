import type { Tx } from '../../platform/db/database.ts'
import type { CallWriter } from '../call/call-writer.ts'

/** What to do when a step or a write fails. */
interface Failures {
  turnFailed(err: unknown): void
  /** This write is dropped; the following ones still run. */
  writingFailed(err: unknown): void
}

/** Runs the steps of a conversation one after the other, and its writes in the same order. */
export class SerialQueue {
  readonly #store: CallWriter
  readonly #failures: Failures
  #turn: Promise<unknown> = Promise.resolve()
  /** Steps do not wait for writes: the database may be unavailable. */
  #written: Promise<unknown> = Promise.resolve()

  constructor(store: CallWriter, failures: Failures) {
    this.#store = store
    this.#failures = failures
  }

  take<T>(run: () => Promise<T> | T): Promise<T> {
    const turn = this.#turn.then(run)
    this.#turn = turn.catch((err: unknown) => this.#failures.turnFailed(err))
    return turn
  }

  /** Runs a step without waiting for it. */
  start(run: () => Promise<void> | void): void {
    // The failure was already reported to `Failures`.
    this.take(run).catch(() => {})
  }

  /** Runs a step once `happened` resolves. */
  startAfter<T>(happened: Promise<T>, run: (what: T) => Promise<void> | void): void {
    happened.then(
      (what) => this.start(() => run(what)),
      (err: unknown) => this.#failures.turnFailed(err),
    )
  }

  write(run: (tx: Tx) => Promise<void>, kind?: 'step'): void {
    this.#written = this.#written
      .then(() => this.#store(run, kind))
      .catch((err: unknown) => this.#failures.writingFailed(err))
  }

  /** Resolves when all writes so far are done. */
  get written(): Promise<unknown> {
    return this.#written
  }
}
