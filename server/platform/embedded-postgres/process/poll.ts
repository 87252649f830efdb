import { setTimeout as sleep } from 'node:timers/promises'

import { LIMITS } from '../limits.ts'

/** Waits for a change in another process, which will not tell us. False when it did not come in time. */
export async function until(check: () => boolean | Promise<boolean>, withinMs: number): Promise<boolean> {
  const deadline = performance.now() + withinMs
  while (!(await check())) {
    if (performance.now() > deadline) return false
    await sleep(LIMITS.pollMs)
  }
  return true
}
