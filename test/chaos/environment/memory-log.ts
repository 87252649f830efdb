const LIMITS = { samplesMax: 500, livesMax: 200 }

export interface Sample {
  atMs: number
  bytes: number
}

/** The memory of the processes of a role, one after the other. */
export interface MemoryLog {
  /** Each process with its samples; those of a long one are far apart. */
  lives: Sample[][]
  begin(): void
  note(bytes: number): void
  end(): void
}

export function createMemoryLog(): MemoryLog {
  const lives: Sample[][] = []
  let current: Sample[] | undefined
  let [everyMs, lastMs] = [0, -Infinity]
  return {
    lives,
    begin() {
      current = []
      everyMs = 0
      lives.push(current)
      // For a very long campaign the last ones are enough.
      if (lives.length > LIMITS.livesMax) lives.shift()
    },
    note(bytes) {
      const atMs = performance.now()
      if (!current || atMs - lastMs < everyMs) return
      lastMs = atMs
      current.push({ atMs, bytes })
      if (current.length < LIMITS.samplesMax) return
      current.splice(0, current.length, ...current.filter((_, index) => index % 2 === 0))
      everyMs = ((current.at(-1)!.atMs - current[0]!.atMs) / current.length) * 0.99
    },
    end() {
      current = undefined
    },
  }
}
