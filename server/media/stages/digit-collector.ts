import type { Digit } from '../audio/dtmf.ts'
import type { CollectEnd, CollectOptions } from '../port.ts'

/** Collects DTMF digits until there are enough, or a timeout. */
export function createDigitCollector(options: CollectOptions, startMs: number) {
  let digits = ''
  let deadlineMs = startMs + options.firstDigitMs
  return {
    get digits() {
      return digits
    },
    press(digit: Digit, atMs: number): CollectEnd | undefined {
      if (digit === options.terminator) return 'terminator'
      digits += digit
      deadlineMs = atMs + options.nextDigitMs
      return digits.length >= options.count ? 'count' : undefined
    },
    tick: (atMs: number): CollectEnd | undefined => (atMs >= deadlineMs ? 'timeout' : undefined),
  }
}

export type DigitCollector = ReturnType<typeof createDigitCollector>
