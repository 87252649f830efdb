import { setTimeout as pause } from 'node:timers/promises'

import type { RunningBellhop } from '../environment/running-bellhop.ts'
import type { SeededRandom } from '../random.ts'
import type { Api } from './api.ts'

/** What every part of the load gets. */
export interface LoadParts {
  stage: RunningBellhop
  api: Api
  chance: SeededRandom
}

/** Repeats something with pauses in between; the returned function lets the last run finish. */
export function keepUp(everyMs: number, run: () => Promise<void>): () => Promise<void> {
  const stopping = new AbortController()
  const { signal } = stopping
  async function go(): Promise<void> {
    while (!signal.aborted) {
      await run()
      await pause(everyMs, undefined, { signal }).catch(() => {})
    }
  }
  const done = go()
  // The caller of stop gets a failure, which is one of the campaign's own; nobody else needs it.
  done.catch(() => {})
  return async () => {
    stopping.abort()
    await done
  }
}
