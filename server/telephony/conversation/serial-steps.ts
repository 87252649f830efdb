import type { Tx } from '../../platform/db/database.ts'
import type { Store } from '../call/store.ts'

/** What becomes of a conversation when something fails in it. */
interface Failures {
  turnFailed(err: unknown): void
  /** It is given up; the rest is written. */
  writingFailed(err: unknown): void
}

/** What happens in a conversation, one thing after the other; and what is written of it, in the same order. */
export class Turns {
  readonly #store: Store
  readonly #failures: Failures
  #turn: Promise<unknown> = Promise.resolve()
  /** Nobody waits for it: the database may be away. */
  #written: Promise<unknown> = Promise.resolve()

  constructor(store: Store, failures: Failures) {
    this.#store = store
    this.#failures = failures
  }

  take<T>(run: () => Promise<T> | T): Promise<T> {
    const turn = this.#turn.then(run)
    this.#turn = turn.catch((err: unknown) => this.#failures.turnFailed(err))
    return turn
  }

  /** For who does not wait for its end. */
  start(run: () => Promise<void> | void): void {
    // Whoever is to know of its failure was told.
    this.take(run).catch(() => {})
  }

  /** When something has happened. */
  startAfter<T>(happened: Promise<T>, run: (what: T) => Promise<void> | void): void {
    happened.then(
      (what) => this.start(() => run(what)),
      (err: unknown) => this.#failures.turnFailed(err),
    )
  }

  write(run: (tx: Tx) => Promise<void>): void {
    this.#written = this.#written
      .then(() => this.#store(run))
      .catch((err: unknown) => this.#failures.writingFailed(err))
  }

  /** What there is to write until now. */
  get written(): Promise<unknown> {
    return this.#written
  }
}
