const SIZE = 128

/** Remembers which of the last numbers have been, so that none counts twice. */
export interface IndexWindow {
  /** Notes the number; false when it has been already, or is too old to tell. */
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
