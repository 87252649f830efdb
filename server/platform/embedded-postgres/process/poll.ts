import { setTimeout as sleep } from 'node:timers/promises'

import { EMBEDDED_POSTGRES_LIMITS } from '../limits.ts'

/** Polls for a change in another process, which does not notify us. False after a timeout. */
export async function pollUntil(check: () => boolean | Promise<boolean>, withinMs: number): Promise<boolean> {
  const deadline = performance.now() + withinMs
  while (!(await check())) {
    if (performance.now() > deadline) return false
    await sleep(EMBEDDED_POSTGRES_LIMITS.pollMs)
  }
  return true
}
