import type { Clock } from '../../platform/clock.ts'
import { SIP_LIMITS } from '../limits.ts'

/** Finds requests that were challenged and not repeated with a password: their senders count on their address. */
export class UnmetChallenges {
  readonly #clock: Clock
  /** By Call-ID. */
  readonly #timers = new Map<string, () => void>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Runs `unmet` unless the request is repeated in time. */
  watch(callId: string, unmet: () => void): void {
    if (this.#timers.has(callId) || this.#timers.size >= SIP_LIMITS.challengesWatchedMax) return
    const stop = this.#clock.after(SIP_LIMITS.challengeMetMs, () => {
      this.#timers.delete(callId)
      unmet()
    })
    this.#timers.set(callId, stop)
  }

  met(callId: string): void {
    this.#timers.get(callId)?.()
    this.#timers.delete(callId)
  }

  close(): void {
    for (const stop of this.#timers.values()) stop()
    this.#timers.clear()
  }
}
