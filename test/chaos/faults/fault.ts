import { setTimeout as pause } from 'node:timers/promises'

import type { Chance } from '../chance.ts'
import type { World } from '../world.ts'

export interface FaultParts {
  world: World
  /** What of it is not fixed is drawn here. */
  chance: Chance
  /** Holds the fault for so long; less when the campaign ends. */
  hold(fromMs: number, toMs: number): Promise<void>
  /** What exactly is done, for the list of faults. */
  say(detail: string): void
}

/** Something that goes wrong, and is right again when `run` has ended. */
export interface Fault {
  name: string
  /** Why it cannot be drawn here. */
  missing?(world: World): string | undefined
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
