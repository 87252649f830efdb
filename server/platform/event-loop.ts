import { readFileSync } from 'node:fs'
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

/** The same for the threads beside the main one. */
export const threadDelay = new Histogram({
  name: 'bellhop_thread_delay_seconds',
  help: 'How late a timer of a thread runs that is due 20 times a second.',
  labelNames: ['thread'],
  buckets: [0.005, 0.01, 0.02, 0.04, 0.06, 0.1, 0.2, 0.5, 1, 2.5, 10],
  registers: [],
})

/** Long work awaits it between its steps: in between, the calls and requests of this process go on. */
export const nextTurn = (): Promise<void> => setImmediate()

/**
 * Runs items in their order, for so many milliseconds at a stretch and then again in the next turn of the event loop.
 * Resolves when none is left.
 */
export function inStretches<Item>(stretchMs: number, run: (item: Item) => void) {
  const waiting: Item[] = []
  return async (item: Item): Promise<void> => {
    if (waiting.push(item) > 1) return
    while (waiting.length > 0) {
      await nextTurn()
      for (const end = performance.now() + stretchMs; waiting.length > 0 && performance.now() < end;)
        run(waiting.shift()!)
    }
  }
}

const observeDelay = (delayMs: number) => eventLoopDelay.observe(delayMs / 1000)

/** Measures the delay of the event loop of this thread, and logs what the thread was doing if it was long. */
export function watchEventLoop(log: Log, observe: (delayMs: number) => void = observeDelay): () => void {
  let due = performance.now() + PLATFORM_LIMITS.tickMs
  let cpu = threadCpuMs()
  const timer = setInterval(() => {
    const now = performance.now()
    const delayMs = Math.max(0, now - due)
    const { longest, recent } = takeActivity()
    observe(delayMs)
    if (delayMs > PLATFORM_LIMITS.blockedMs) {
      const cpuMs = Math.round(threadCpuMs() - cpu)
      const said = { ms: Math.round(delayMs), cpuMs, during: longest, recent }
      // With less CPU time than that, other processes had the CPU, and the named work is not to blame.
      if (cpuMs < PLATFORM_LIMITS.blockedMs) log.info(said, 'the machine was too busy to run the event loop')
      else log.warn(said, 'the event loop was blocked')
    }
    cpu = threadCpuMs()
    due = now + PLATFORM_LIMITS.tickMs
  }, PLATFORM_LIMITS.tickMs).unref()
  return () => clearInterval(timer)
}

/** The CPU time of this thread. Only Linux tells; elsewhere it is that of all threads. */
export function threadCpuMs(): number {
  try {
    return Number(readFileSync('/proc/thread-self/schedstat', 'latin1').split(' ', 1)[0]) / 1e6
  } catch {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1000
  }
}
