import { createHmac, timingSafeEqual } from 'node:crypto'

import type { Clock } from '../../platform/clock.ts'
import { SIP_LIMITS } from '../limits.ts'

const SEAL_CHARACTERS = 32

/** Nonces that need no memory until they are used: a timestamp and random bytes, with an HMAC over both. */
export class Nonces {
  readonly #clock: Clock
  readonly #token: () => string
  readonly #secret: Buffer
  /** The highest nonce count seen with each nonce, by its seal: that is ours, and no slice of a message. */
  readonly #counts = new Map<string, number>()

  constructor(clock: Clock, token: () => string, secret: Buffer) {
    this.#clock = clock
    this.#token = token
    this.#secret = secret
  }

  create(): string {
    const content = `${this.#clock.now().getTime().toString(36)}.${this.#token()}`
    return `${content}.${this.#seal(content)}`
  }

  /** Whether the nonce is ours and not expired, and this nonce count is higher than any before. */
  use(nonce: string, count: number): boolean {
    const end = nonce.lastIndexOf('.')
    const content = nonce.slice(0, end)
    const seal = this.#seal(content)
    const [given, expected] = [Buffer.from(nonce.slice(end + 1)), Buffer.from(seal)]
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return false
    const age = this.#clock.now().getTime() - Number.parseInt(content, 36)
    if (!(age <= SIP_LIMITS.nonceMs && count > (this.#counts.get(seal) ?? 0))) return false
    this.#remember(seal, count)
    return true
  }

  #remember(seal: string, count: number): void {
    this.#counts.delete(seal)
    // The least recently used is first. If it has not expired, its user is challenged once more.
    if (this.#counts.size >= SIP_LIMITS.noncesRememberedMax)
      this.#counts.delete(this.#counts.keys().next().value!)
    this.#counts.set(seal, count)
  }

  #seal(content: string): string {
    return createHmac('sha256', this.#secret).update(content).digest('base64url').slice(0, SEAL_CHARACTERS)
  }
}
