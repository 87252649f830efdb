const SIZE = 128

/** A replay window: remembers which of the latest indexes were received. */
class IndexWindow {
  readonly #seen = new Float64Array(SIZE).fill(-1)
  #highest = -1

  has(index: number): boolean {
    return index <= this.#highest - SIZE || this.#seen[index % SIZE] === index
  }

  /** False if the index was received before, or is too old to tell. */
  take(index: number): boolean {
    // Nearly all packets arrive in their order.
    if (index > this.#highest) this.#highest = index
    else if (this.has(index)) return false
    this.#seen[index % SIZE] = index
    return true
  }
}

export type { IndexWindow }

export const createIndexWindow = (): IndexWindow => new IndexWindow()
