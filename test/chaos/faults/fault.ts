import { setTimeout as pause } from 'node:timers/promises'

import type { CampaignState } from '../campaign-state.ts'
import type { SeededRandom } from '../random.ts'

export interface FaultParts {
  world: CampaignState
  /** Chooses what the fault leaves open. */
  chance: SeededRandom
  /** Keeps the fault active for this long; less if the campaign ends. */
  hold(fromMs: number, toMs: number): Promise<void>
  /** What exactly is done, for the list of faults. */
  say(detail: string): void
}

/** Something that goes wrong, and is restored when `run` has ended. */
export interface Fault {
  name: string
  /** Why it is not possible on this machine. */
  missing?(world: CampaignState): string | undefined
  run(parts: FaultParts): Promise<void>
}

/** What every fault of the database needs at the end, whatever happened. */
export async function untilDone(run: () => Promise<unknown>): Promise<void> {
  for (let tried = 0; ; tried++) {
    try {
      await run()
      return
    } catch (error) {
      if (tried >= LIMITS.tries) throw error
      await pause(LIMITS.againMs)
    }
  }
}

const LIMITS = { tries: 100, againMs: 200 }
