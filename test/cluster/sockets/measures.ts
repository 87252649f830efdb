import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'

import type { Role } from '../../chaos/environment/role.ts'
import type { Person } from './seed.ts'

/** Connections that are opened at once, before the storm. */
const AT_ONCE = 50
const PACE = { probeMs: 250, lookMs: 100, collectMs: 10_000, backMs: 240_000 }

export interface Part {
  people: Person[]
  tell(line: string): void
  closes: (() => Promise<void> | void)[]
}

/** Kills the process, and resolves when the next one is ready. */
export async function restart(role: Role): Promise<void> {
  role.kill()
  while (role.isUp()) await pause(PACE.lookMs)
  while (!role.isUp()) await pause(PACE.lookMs)
}

/** How long it takes until all are back; it is not waited for longer than a while. */
export async function secondsUntil(areAllBack: () => boolean): Promise<number> {
  const since = performance.now()
  while (!areAllBack() && performance.now() - since < PACE.backMs) await pause(PACE.lookMs)
  return (performance.now() - since) / 1_000
}

/** The memory that each of them takes, in kB. */
export async function memoryOfEach(role: Role, count: number, open: () => Promise<void>): Promise<number> {
  const before = residentKb(role)
  await open()
  // What was allocated only for connecting is collected by then.
  await pause(PACE.collectMs)
  return (residentKb(role) - before) / count
}

/** Requests of somebody who has nothing to do with it, one by one. */
export function startProbes(ask: () => Promise<void>) {
  const took: number[] = []
  const end = new AbortController()
  const ended = (async () => {
    for (; !end.signal.aborted; await pause(PACE.probeMs)) {
      const since = performance.now()
      await ask()
      took.push(performance.now() - since)
    }
  })()
  return {
    async stop() {
      end.abort()
      await ended
      return { p95: quantile(took, 0.95), max: Math.max(...took) }
    },
  }
}

export async function inParallel<T>(items: T[], run: (item: T) => Promise<void>): Promise<void> {
  const left = items.values()
  const work = async () => {
    for (const item of left) await run(item)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
}

export function residentKb(role: Role): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${role.pid()}/status`, 'utf8'))![1])
}

export const quantile = (values: number[], share: number) =>
  values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * share)] ?? Number.NaN
