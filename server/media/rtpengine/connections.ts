import type { LegId } from '../port.ts'

/** Who is bridged with whom, and which legs are the two ends of a pair within this process. */
export function createConnections() {
  const bridged = new Map<LegId, LegId>()
  const twins = new Map<LegId, LegId>()

  function separate(leg: LegId): void {
    const other = bridged.get(leg)
    bridged.delete(leg)
    if (other !== undefined) bridged.delete(other)
  }

  return {
    separate,
    bridge(a: LegId, b: LegId): void {
      separate(a)
      separate(b)
      bridged.set(a, b)
      bridged.set(b, a)
    },
    pair(a: LegId, b: LegId): void {
      twins.set(a, b)
      twins.set(b, a)
    },
    remove(leg: LegId): void {
      separate(leg)
      const twin = twins.get(leg)
      twins.delete(leg)
      if (twin !== undefined) twins.delete(twin)
    },
    /** The legs from this one to whom it talks to, through any number of pairs. The last has no twin. */
    way(leg: LegId): LegId[] {
      const legs: LegId[] = []
      for (let next = bridged.get(leg); next !== undefined && !legs.includes(next);) {
        legs.push(next)
        const twin = twins.get(next)
        if (twin === undefined) return legs
        legs.push(twin)
        next = bridged.get(twin)
      }
      // It ends at a pair that is not bridged.
      return []
    },
  }
}

export type Connections = ReturnType<typeof createConnections>
