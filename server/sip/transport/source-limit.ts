import type { Clock } from '../../platform/clock.ts'

/** A token bucket for each source: it fills by `perSecond` up to `burst`, and every message takes a token. */
export class SourceLimit {
  readonly #buckets = new Map<string, { tokens: number; at: number; isReported: boolean }>()
  readonly #clock: Clock
  readonly #rate: { perSecond: number; burst: number; sourcesMax: number }
  readonly #onExceeded: (source: string) => void

  /** `onExceeded` is called once, until the source has been quiet for long enough to fill its bucket. */
  constructor(
    clock: Clock,
    rate: { perSecond: number; burst: number; sourcesMax: number },
    onExceeded: (source: string) => void = () => {},
  ) {
    this.#clock = clock
    this.#rate = rate
    this.#onExceeded = onExceeded
  }

  allows(source: string): boolean {
    const { perSecond, burst, sourcesMax } = this.#rate
    const now = this.#clock.now().getTime()
    const last = this.#buckets.get(source)
    const tokens = last ? Math.min(burst, last.tokens + ((now - last.at) / 1000) * perSecond) : burst
    // Keeps the least recently seen source first in the map.
    this.#buckets.delete(source)
    if (this.#buckets.size >= sourcesMax) this.#buckets.delete(this.#buckets.keys().next().value!)
    const isAllowed = tokens >= 1
    const wasReported = tokens < burst && (last?.isReported ?? false)
    const isReported = wasReported || !isAllowed
    this.#buckets.set(source, { tokens: isAllowed ? tokens - 1 : tokens, at: now, isReported })
    if (isReported && !wasReported) this.#onExceeded(source)
    return isAllowed
  }
}
