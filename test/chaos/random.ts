/** Reproducible random numbers: the same seed gives the same sequence. */
export interface SeededRandom {
  /** From 0 up to, but not including, 1. */
  next(): number
  /** An integer, both ends included. */
  whole(from: number, to: number): number
  pick<T>(among: readonly T[]): T
  shuffled<T>(items: readonly T[]): T[]
  /** A separate sequence, so that the choices of one part do not affect those of another. */
  stream(name: string): SeededRandom
}

export function seededRandom(seed: number): SeededRandom {
  let state = seed >>> 0
  /** Mulberry32. */
  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const whole = (from: number, to: number) => from + Math.floor(next() * (to - from + 1))
  return {
    next,
    whole,
    pick: (among) => among[whole(0, among.length - 1)]!,
    shuffled(items) {
      const left = [...items]
      return items.map(() => left.splice(whole(0, left.length - 1), 1)[0]!)
    },
    stream: (name) => seededRandom(Buffer.from(name).reduce((sum, byte) => Math.imul(sum, 31) + byte, seed)),
  }
}
