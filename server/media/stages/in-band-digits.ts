import type { Digit } from '../audio/dtmf.ts'
import { MEDIA_LIMITS } from '../limits.ts'

/**
 * Digits that were heard as tones on one leg. Phones that signal their digits often play the tones as well, so the
 * first one counts only if no signalled digit comes within a second; from then on they count at once.
 */
export function createInBandDigits() {
  /** Undefined until the first digit shows how the other side sends them. */
  let sentBy: 'signalling' | 'tones' | undefined
  let held: { digit: Digit; untilMs: number }[] = []

  return {
    areWaiting: (): boolean => held.length > 0,
    /** The other side has agreed to no other way. */
    expectTones(): void {
      sentBy ??= 'tones'
    },
    /** A digit came in a telephone event or in an INFO. */
    signalled(): void {
      sentBy = 'signalling'
      held = []
    },
    /** Returns the digits that count by now. */
    push(heard: readonly Digit[], atMs: number): Digit[] {
      if (sentBy === 'signalling') return []
      for (const digit of heard) held.push({ digit, untilMs: atMs + MEDIA_LIMITS.inBandHoldMs })
      if (held.length > 0 && held[0]!.untilMs <= atMs) sentBy = 'tones'
      if (sentBy !== 'tones') return []
      return held.splice(0).map(({ digit }) => digit)
    },
  }
}
