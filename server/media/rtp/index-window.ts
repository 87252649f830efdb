const SIZE = 128

/** A replay window: remembers which of the latest indexes were received. */
export function createIndexWindow() {
  const seen = new Float64Array(SIZE).fill(-1)
  let highest = -1
  const has = (index: number) => index <= highest - SIZE || seen[index % SIZE] === index
  return {
    has,
    /** False if the index was received before, or is too old to tell. */
    take(index: number): boolean {
      if (has(index)) return false
      seen[index % SIZE] = index
      if (index > highest) highest = index
      return true
    },
  }
}

export type IndexWindow = ReturnType<typeof createIndexWindow>
