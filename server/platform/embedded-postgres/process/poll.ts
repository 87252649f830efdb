import { setTimeout as sleep } from 'node:timers/promises'

import { LIMITS } from '../limits.ts'

/** Polls for a change in another process, which does not notify us. False after a timeout. */
export async function until(check: () => boolean | Promise<boolean>, withinMs: number): Promise<boolean> {
  const deadline = performance.now() + withinMs
  while (!(await check())) {
    if (performance.now() > deadline) return false
    await sleep(LIMITS.pollMs)
  }
  return true
}
