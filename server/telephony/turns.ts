import type { Tx } from '../platform/db/database.ts'
import type { Store } from './store.ts'

/** What happens in a conversation, one thing after the other; and what is written of it, in the same order. */
export class Turns {
  readonly #store: Store
  readonly #failed: (err: unknown, what: 'turn' | 'writing') => void
  #turn: Promise<unknown> = Promise.resolve()
  /** Nobody waits for it: the database may be away. */
  #written: Promise<unknown> = Promise.resolve()

  constructor(store: Store, failed: (err: unknown, what: 'turn' | 'writing') => void) {
    this.#store = store
    this.#failed = failed
  }

  take<T>(run: () => Promise<T> | T): Promise<T> {
    const turn = this.#turn.then(run)
    this.#turn = turn.catch((err: unknown) => this.#failed(err, 'turn'))
    return turn
  }

  write(run: (tx: Tx) => Promise<void>): void {
    this.#written = this.#written
      .then(() => this.#store(run))
      .catch((err: unknown) => this.#failed(err, 'writing'))
  }

  /** What there is to write until now. */
  get written(): Promise<unknown> {
    return this.#written
  }
}
