const PATIENCE_MS = 30_000

/** Collects items, which a test awaits one by one. */
export class AsyncQueue<T> {
  readonly #arrived: T[] = []
  readonly #waiting = new Set<() => void>()

  readonly put = (item: T): void => {
    this.#arrived.push(item)
    this.#wake()
  }

  /** Items that have arrived and were not taken yet. */
  get waiting(): readonly T[] {
    return this.#arrived
  }

  /** The first item, or the first that matches; others stay. */
  async take<S extends T>(fits?: ((item: T) => item is S) | ((item: T) => boolean)): Promise<S> {
    let expired = false
    const timer = setTimeout(() => {
      expired = true
      this.#wake()
    }, PATIENCE_MS)
    try {
      for (;;) {
        const at = this.#arrived.findIndex((item) => !fits || fits(item))
        if (at !== -1) return this.#arrived.splice(at, 1)[0] as S
        if (expired)
          throw new Error(`waited in vain; there is ${JSON.stringify(this.#arrived).slice(0, 2_000)}`)
        await new Promise<void>((resolve) => void this.#waiting.add(resolve))
      }
    } finally {
      clearTimeout(timer)
    }
  }

  #wake(): void {
    for (const wake of this.#waiting) wake()
    this.#waiting.clear()
  }
}
