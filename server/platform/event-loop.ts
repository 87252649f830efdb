import { setImmediate } from 'node:timers/promises'

import { Histogram } from 'prom-client'

import { takeActivity } from './activity.ts'
import { PLATFORM_LIMITS } from './limits.ts'
import type { Log } from './log.ts'

/** In every registry that is scraped, so it belongs to none by itself. */
export const eventLoopDelay = new Histogram({
  name: 'bellhop_event_loop_delay_seconds',
  help: 'How late a timer runs that is due 20 times a second.',
  buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.2, 0.25, 0.5, 1, 2.5, 10],
  registers: [],
})

/** Long work awaits it between its steps: in between, the calls and requests of this process go on. */
export const nextTurn = (): Promise<void> => setImmediate()

/** Measures the delay of the event loop, and logs what the process was doing if it was long. */
export function watchEventLoop(log: Log): () => void {
  let due = performance.now() + PLATFORM_LIMITS.tickMs
  let cpu = process.cpuUsage()
  const timer = setInterval(() => {
    const now = performance.now()
    const delayMs = Math.max(0, now - due)
    const used = process.cpuUsage(cpu)
    const { longest, recent } = takeActivity()
    eventLoopDelay.observe(delayMs / 1000)
    if (delayMs > PLATFORM_LIMITS.blockedMs) {
      const cpuMs = Math.round((used.user + used.system) / 1000)
      const said = { ms: Math.round(delayMs), cpuMs, during: longest, recent }
      // With less CPU time than that, other processes had the CPU, and the named work is not to blame.
      if (cpuMs < PLATFORM_LIMITS.blockedMs) log.info(said, 'the machine was too busy to run the event loop')
      else log.warn(said, 'the event loop was blocked')
    }
    cpu = process.cpuUsage()
    due = now + PLATFORM_LIMITS.tickMs
  }, PLATFORM_LIMITS.tickMs).unref()
  return () => clearInterval(timer)
}
