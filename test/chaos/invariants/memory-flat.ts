import type { Sample } from '../environment/memory-log.ts'
import type { Invariant } from './invariant.ts'

const MB = 1024 * 1024
/** The memory of a process means nothing before it has warmed up, and little if it ran only briefly. */
const LIMITS = { warmUpMs: 60_000, livedMs: 240_000, growthBytes: 50 * MB, growthShare: 0.3 }

/** No process that ran for minutes needs much more memory in its last quarter than in its first. */
export const memoryFlat: Invariant = {
  name: 'the memory of each process is flat',
  isFinal: true,
  check({ stage }) {
    let checked = 0
    const broken: string[] = []
    for (const role of stage.roles)
      for (const life of role.memory.lives) {
        const growth = growthOf(life)
        if (!growth) continue
        checked++
        const { first, last, minutes } = growth
        if (last - first > LIMITS.growthBytes && last > first * (1 + LIMITS.growthShare))
          broken.push(
            `${role.name} grew from ${inMb(first)} to ${inMb(last)} in ${minutes.toFixed(1)} minutes`,
          )
      }
    return Promise.resolve({ checked, broken })
  },
}

export function growthOf(life: Sample[]): { first: number; last: number; minutes: number } | undefined {
  const began = life[0]?.atMs ?? 0
  const warm = life.filter(({ atMs }) => atMs - began >= LIMITS.warmUpMs)
  const livedMs = (warm.at(-1)?.atMs ?? 0) - began
  if (livedMs < LIMITS.livedMs) return undefined
  const quarter = Math.ceil(warm.length / 4)
  return {
    first: middle(warm.slice(0, quarter)),
    last: middle(warm.slice(-quarter)),
    minutes: livedMs / 60_000,
  }
}

const middle = (samples: Sample[]) =>
  samples.map(({ bytes }) => bytes).toSorted((a, b) => a - b)[Math.floor(samples.length / 2)]!

const inMb = (bytes: number) => `${Math.round(bytes / MB)} MB`
