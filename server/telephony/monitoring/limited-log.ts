import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import { TELEPHONY_LIMITS } from '../limits.ts'

/** Logs what anybody on the network can cause, but no faster than an operator can read: a flood must not fill a disk. */
export class LimitedLog {
  readonly #clock: Clock
  readonly #log: Log
  /** For each message, the lines that it may still have, and how many were left out. */
  readonly #budgets = new Map<string, { lines: number; at: number; leftOut: number }>()

  constructor(clock: Clock, log: Log) {
    this.#clock = clock
    this.#log = log
  }

  info(details: Record<string, unknown>, message: string): void {
    this.#write('info', details, message)
  }

  warn(details: Record<string, unknown>, message: string): void {
    this.#write('warn', details, message)
  }

  #write(level: 'info' | 'warn', details: Record<string, unknown>, message: string): void {
    const { refusalLinesBurst: burst, refusalLinesPerMinute: perMinute } = TELEPHONY_LIMITS
    const now = this.#clock.now().getTime()
    const last = this.#budgets.get(message) ?? { lines: burst, at: now, leftOut: 0 }
    const lines = Math.min(burst, last.lines + ((now - last.at) / MINUTE_MS) * perMinute)
    if (lines < 1) {
      this.#budgets.set(message, { lines, at: now, leftOut: last.leftOut + 1 })
      return
    }
    this.#budgets.set(message, { lines: lines - 1, at: now, leftOut: 0 })
    this.#log[level]({ ...details, ...(last.leftOut > 0 && { leftOut: last.leftOut }) }, message)
  }
}

const MINUTE_MS = 60_000
