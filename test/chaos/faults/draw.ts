import { setTimeout as pause } from 'node:timers/promises'

import type { CampaignState } from '../campaign-state.ts'
import type { SeededRandom } from '../random.ts'
import type { Fault } from './fault.ts'

const PACE = { fromMs: 2_000, toMs: 7_000, together: 0.25 }

/** Counts how often each fault was injected, and keeps the last ones: a campaign may take a day. */
export interface DrawnFaults {
  counts: Map<string, number>
  last: string[]
  /** Faults that are active now, and when the last one ended. */
  on: number
  overAt: number
}

const LIMITS = { named: 500 }

export const noFaultsYet = (): DrawnFaults => ({ counts: new Map(), last: [], on: 0, overAt: -Infinity })

interface DrawParts {
  world: CampaignState
  faults: Fault[]
  chance: SeededRandom
  drawn: DrawnFaults
  /** Stops injecting; the active fault is ended first. */
  signal: AbortSignal
  tell(line: string): void
}

/** Injects one fault after the other, sometimes two at once. Each occurs once before any of them occurs again. */
export async function drawFaults({ world, faults, chance, drawn, signal, tell }: DrawParts): Promise<void> {
  let deck: Fault[] = []
  const next = () => {
    if (deck.length === 0) deck = chance.shuffled(faults)
    return deck.pop()!
  }
  const rest = (ms: number) => pause(ms, undefined, { signal }).catch(() => {})

  async function run(fault: Fault): Promise<void> {
    drawn.counts.set(fault.name, (drawn.counts.get(fault.name) ?? 0) + 1)
    let detail = ''
    const since = performance.now()
    drawn.on++
    try {
      await fault.run({
        world,
        chance,
        hold: (fromMs, toMs) => rest(chance.whole(fromMs, toMs)),
        say: (text) => (detail = ` (${text})`),
      })
    } finally {
      drawn.on--
      drawn.overAt = performance.now()
    }
    const line = `${fault.name}${detail}, ${((performance.now() - since) / 1_000).toFixed(1)} s`
    tell(line)
    drawn.last.push(line)
    if (drawn.last.length > LIMITS.named) drawn.last.shift()
  }

  while (!signal.aborted) {
    await rest(chance.whole(PACE.fromMs, PACE.toMs))
    if (signal.aborted) return
    const together = chance.next() < PACE.together && faults.length > 1 ? [next(), next()] : [next()]
    await Promise.all(together.map(run))
  }
}
