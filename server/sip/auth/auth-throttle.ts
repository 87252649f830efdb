import type { Clock } from '../../platform/clock.ts'
import { SIP_LIMITS } from '../limits.ts'
import { sourceOf } from '../transport/flow.ts'

interface Source {
  failures: number
  lastFailureAt: number
  /** Users who have authenticated from here before: one misconfigured phone must not block the whole office. */
  proven: Set<string>
}

/** Delays responses to wrong passwords, and then blocks the source for a while. */
export class AuthThrottle {
  readonly #clock: Clock
  readonly #onBlocked: (address: string) => void
  readonly #sources = new Map<string, Source>()

  constructor(clock: Clock, onBlocked: (address: string) => void = () => {}) {
    this.#clock = clock
    this.#onBlocked = onBlocked
  }

  /** The sources that are blocked now. */
  get blockedCount(): number {
    const since = this.#clock.now().getTime() - SIP_LIMITS.guessesForgottenMs
    const isBlocked = ({ failures, lastFailureAt }: Source) =>
      failures >= SIP_LIMITS.guessesUntilBlocked && lastFailureAt > since
    return [...this.#sources.values()].filter(isBlocked).length
  }

  /** Whether a source is blocked, except for users who have authenticated from it before. */
  blocks(address: string, username: string | undefined): boolean {
    const source = this.#find(address)
    if (!source || source.failures < SIP_LIMITS.guessesUntilBlocked) return false
    return username === undefined || !source.proven.has(username)
  }

  /** Whether a source is blocked for all users, so that its messages need not be parsed. */
  blocksAll(address: string): boolean {
    return this.#sources.get(sourceOf(address))?.proven.size === 0 && this.blocks(address, undefined)
  }

  /** For how much longer; 0 if it is not blocked, or not for all users. */
  blocksAllForSeconds(address: string): number {
    if (!this.blocksAll(address)) return 0
    const { lastFailureAt } = this.#find(address)!
    const leftMs = lastFailureAt + SIP_LIMITS.guessesForgottenMs - this.#clock.now().getTime()
    return Math.ceil(leftMs / 1_000)
  }

  /** Counts a wrong password. Returns how long to delay the response. */
  failed(address: string): number {
    const source = this.#find(address) ?? { failures: 0, lastFailureAt: 0, proven: new Set<string>() }
    source.failures++
    source.lastFailureAt = this.#clock.now().getTime()
    this.#keep(address, source)
    if (source.failures === SIP_LIMITS.guessesUntilBlocked) this.#onBlocked(address)
    const beyond = source.failures - SIP_LIMITS.guessesWithoutDelay
    return beyond <= 0 ? 0 : Math.min(SIP_LIMITS.guessDelayMs * 2 ** (beyond - 1), SIP_LIMITS.guessDelayMsMax)
  }

  /** A right password does not reset the failures: the next guess may be for another user. */
  proved(address: string, username: string): void {
    const source = this.#find(address) ?? { failures: 0, lastFailureAt: 0, proven: new Set<string>() }
    if (source.proven.size < SIP_LIMITS.provenUsersPerSourceMax) source.proven.add(username)
    this.#keep(address, source)
  }

  /** After a time without failures, the source is forgotten. */
  #find(address: string): Source | undefined {
    const source = this.#sources.get(sourceOf(address))
    if (source && this.#clock.now().getTime() - source.lastFailureAt >= SIP_LIMITS.guessesForgottenMs) {
      source.failures = 0
    }
    return source
  }

  #keep(address: string, source: Source): void {
    const key = sourceOf(address)
    this.#sources.delete(key)
    if (this.#sources.size >= SIP_LIMITS.unknownSourcesMax) {
      this.#sources.delete(this.#sources.keys().next().value!)
    }
    this.#sources.set(key, source)
  }
}
