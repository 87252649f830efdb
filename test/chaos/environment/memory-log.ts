const LIMITS = { samplesMax: 500, livesMax: 200 }

export interface Sample {
  atMs: number
  bytes: number
}

/** How much memory the processes of a role took, one after the other. */
export interface MemoryLog {
  /** Each life with its samples; of a long life they are far between. */
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
      // Of a very long campaign the last ones say enough.
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
