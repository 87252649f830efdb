const SIZE = 128

/** A replay window: remembers which of the latest indexes were received. */
export interface IndexWindow {
  /** False if the index was received before, or is too old to tell. */
  take(index: number): boolean
  has(index: number): boolean
}

export function createIndexWindow(): IndexWindow {
  const seen = new Float64Array(SIZE).fill(-1)
  let highest = -1
  const has = (index: number) => index <= highest - SIZE || seen[index % SIZE] === index
  return {
    has,
    take(index) {
      if (has(index)) return false
      seen[index % SIZE] = index
      if (index > highest) highest = index
      return true
    },
  }
}
