import { setTimeout as pause } from 'node:timers/promises'

import type { CampaignState } from '../campaign-state.ts'
import type { SeededRandom } from '../random.ts'

export interface FaultParts {
  world: CampaignState
  /** What of it is not fixed is drawn here. */
  chance: SeededRandom
  /** Holds the fault for so long; less when the campaign ends. */
  hold(fromMs: number, toMs: number): Promise<void>
  /** What exactly is done, for the list of faults. */
  say(detail: string): void
}

/** Something that goes wrong, and is right again when `run` has ended. */
export interface Fault {
  name: string
  /** Why it cannot be drawn here. */
  missing?(world: CampaignState): string | undefined
  run(parts: FaultParts): Promise<void>
}

/** What a fault of the database needs in the end, whatever became of it. */
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
