import { openSync, readSync } from 'node:fs'
import { performance as nodePerformance } from 'node:perf_hooks'
import { setImmediate as beforeNextTurn } from 'node:timers'
import { setImmediate } from 'node:timers/promises'

import { Histogram } from 'prom-client'

import { atNextActivity, countActivity, takeActivity } from './activity.ts'
import { PLATFORM_LIMITS } from './limits.ts'
import type { Log } from './log.ts'

/** In every registry that is scraped, so it belongs to none by itself. */
export const eventLoopDelay = new Histogram({
  name: 'bellhop_event_loop_delay_seconds',
  help: 'How late a timer runs that is due 20 times a second, or once a second while nothing happens.',
  buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.2, 0.25, 0.5, 1, 2.5, 10],
  registers: [],
})

/** The same for the threads beside the main one. */
export const threadDelay = new Histogram({
  name: 'bellhop_thread_delay_seconds',
  help: 'How late a timer of a thread runs that is due 20 times a second, or once a second while nothing happens.',
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

/**
 * Returns a function that makes the next turns of the event loop begin at least so many milliseconds apart: what arrives
 * meanwhile is handled together, instead of waking the thread each time. It blocks the thread, so it is not for the
 * main one.
 */
export function throttleEventLoop(ms: number): (turns: number) => void {
  const neverNotified = new Int32Array(new SharedArrayBuffer(4))
  let left = 0
  let isRunning = false
  let wokenMs = 0

  function turn(): void {
    if (left-- <= 0) {
      isRunning = false
      return
    }
    const restMs = ms - (performance.now() - wokenMs)
    if (restMs > 0) Atomics.wait(neverNotified, 0, 0, restMs)
    wokenMs = performance.now()
    beforeNextTurn(turn)
  }

  return (turns) => {
    left = turns
    if (left === 0 || isRunning) return
    isRunning = true
    beforeNextTurn(turn)
  }
}

/**
 * Returns a function that says in which share of the time since its last call this thread was busy, or ready but without
 * a core.
 */
export function measureUtilisation(): () => number {
  let last = nodePerformance.eventLoopUtilization()
  return () => {
    const now = nodePerformance.eventLoopUtilization()
    const { utilization } = nodePerformance.eventLoopUtilization(now, last)
    last = now
    return utilization
  }
}

const observeDelay = (delayMs: number) => eventLoopDelay.observe(delayMs / 1000)

/**
 * Measures the delay of the event loop of this thread, and logs what the thread was doing if it was long. While nothing
 * happens it measures only now and then, and the next thing that does happen wakes it: an idle process sleeps.
 */
export function watchEventLoop(log: Log, observe: (delayMs: number) => void = observeDelay): () => void {
  let cpu = threadCpuMs()
  let noted = countActivity()
  let idleTicks = 0
  let due: number
  let timer: NodeJS.Timeout

  function measureIn(ms: number): void {
    due = performance.now() + ms
    timer = setTimeout(measure, ms).unref()
  }

  function measure(): void {
    const delayMs = Math.max(0, performance.now() - due)
    const { longest, recent } = takeActivity()
    observe(delayMs)
    const before = cpu
    cpu = threadCpuMs()
    if (delayMs > PLATFORM_LIMITS.blockedMs) {
      const cpuMs = Math.round(cpu - before)
      const said = { ms: Math.round(delayMs), cpuMs, during: longest, recent }
      // With less CPU time than that, other processes had the CPU, and the named work is not to blame.
      if (cpuMs < PLATFORM_LIMITS.blockedMs) log.info(said, 'the machine was too busy to run the event loop')
      else log.warn(said, 'the event loop was blocked')
    }
    idleTicks = countActivity() === noted ? idleTicks + 1 : 0
    noted = countActivity()
    if (idleTicks < PLATFORM_LIMITS.idleTicks) return measureIn(PLATFORM_LIMITS.tickMs)
    atNextActivity(wake)
    measureIn(PLATFORM_LIMITS.idleTickMs)
  }

  function wake(): void {
    clearTimeout(timer)
    measureIn(PLATFORM_LIMITS.tickMs)
  }

  measureIn(PLATFORM_LIMITS.tickMs)
  return () => {
    clearTimeout(timer)
    atNextActivity(undefined)
  }
}

let readCpuMs: (() => number) | undefined

/** The CPU time of this thread. Only Linux tells; elsewhere it is that of all threads. */
export const threadCpuMs = (): number => (readCpuMs ??= openCpuClock())()

function openCpuClock(): () => number {
  try {
    // It is read 20 times a second, and opening it each time would take six times as long as reading it.
    const file = openSync('/proc/thread-self/schedstat', 'r')
    const text = Buffer.alloc(64)
    return () =>
      Number(text.toString('latin1', 0, readSync(file, text, 0, text.length, 0)).split(' ', 1)[0]) / 1e6
  } catch {
    return () => {
      const { user, system } = process.cpuUsage()
      return (user + system) / 1000
    }
  }
}
