import { type Digit, HIGH_HZ, KEYS, LOW_HZ } from './dtmf.ts'
import { SAMPLE_RATE } from './frame.ts'
import { meanPower, powerAt } from './goertzel.ts'

/** How strictly digits are distinguished from speech. */
const RULES = {
  /** 12.75 ms: at this length the frequency of one row falls into the null of the next. */
  blockSamples: 102,
  /** A digit begins after this many equal blocks, so a tone of 40 ms (ITU-T Q.24) is always detected. */
  blocksToBegin: 2,
  blocksToEnd: 3,
  /** −40 dBm0 for each tone; anything weaker is line noise. */
  tonePowerMin: 3e4,
  /** Both tones together make up nearly all of the power; in speech they never do for long. */
  shareMin: 0.85,
  /** Twist: one tone may be this many times as strong as the other (8 dB). */
  twistMax: 6.3,
}

/** Detects in-band DTMF, for peers that cannot send telephone events. */
export function createDtmfDetector() {
  const block = new Int16Array(RULES.blockSamples)
  let filled = 0
  let candidate: Digit | undefined
  let seen = 0
  let pressed: Digit | undefined
  let missed = 0

  function hear(found: Digit | undefined): Digit | undefined {
    if (pressed) {
      missed = found === pressed ? 0 : missed + 1
      if (missed >= RULES.blocksToEnd) pressed = undefined
    }
    seen = found && found === candidate ? seen + 1 : found ? 1 : 0
    candidate = found
    if (!found || found === pressed || seen < RULES.blocksToBegin) return undefined
    pressed = found
    missed = 0
    return found
  }

  return {
    /** Returns the digits that begin in these samples, each press once. */
    push(samples: Int16Array): Digit[] {
      const digits: Digit[] = []
      for (let at = 0; at < samples.length;) {
        const take = Math.min(samples.length - at, block.length - filled)
        block.set(samples.subarray(at, at + take), filled)
        at += take
        filled += take
        if (filled < block.length) break
        filled = 0
        const digit = hear(keyIn(block))
        if (digit) digits.push(digit)
      }
      return digits
    },
  }
}

export type DtmfDetector = ReturnType<typeof createDtmfDetector>

function keyIn(block: Int16Array): Digit | undefined {
  const total = meanPower(block)
  if (total < RULES.tonePowerMin) return undefined
  const [row, low] = strongest(LOW_HZ, block)
  const [column, high] = strongest(HIGH_HZ, block)
  if (low < RULES.tonePowerMin || high < RULES.tonePowerMin) return undefined
  if (low > high * RULES.twistMax || high > low * RULES.twistMax) return undefined
  if (low + high < total * RULES.shareMin) return undefined
  return KEYS[row]![column] as Digit
}

function strongest(frequencies: readonly number[], block: Int16Array): [index: number, power: number] {
  let [best, power] = [0, -1]
  frequencies.forEach((hz, index) => {
    const found = powerAt(hz, block, SAMPLE_RATE)
    if (found > power) [best, power] = [index, found]
  })
  return [best, power]
}
