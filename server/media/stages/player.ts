import { FRAME_SAMPLES } from '../audio/frame.ts'
import { encodeG711, type Law, SILENT_CODE } from '../audio/g711.ts'

/** Audio at 8 kHz, encoded once for each law, however many calls play it. */
export interface EncodedSound {
  readonly bytes: number
  /** It is meant to be looped. */
  readonly loops: boolean
  readonly samples: Int16Array
  codes(law: Law): Uint8Array
}

export function encodedSound(samples: Int16Array, loops = false): EncodedSound {
  const codes: Partial<Record<Law, Uint8Array>> = {}
  return {
    bytes: samples.length * 4,
    loops,
    samples,
    codes: (law) => (codes[law] ??= encodeG711(law, samples)),
  }
}

export interface Player {
  /** The next 20 ms; undefined after the end. */
  next(law: Law): Uint8Array | undefined
  /** The same, not encoded yet. */
  nextSamples(): Int16Array | undefined
}

/** Plays once, with the last frame padded with silence, or in a seamless loop. */
export function createPlayer(sound: EncodedSound, loop: boolean): Player {
  let at = 0

  function next<Audio extends Uint8Array | Int16Array>(all: Audio, silence: () => Audio): Audio | undefined {
    if (at >= all.length && (!loop || all.length === 0)) return undefined
    if (at + FRAME_SAMPLES <= all.length) {
      at += FRAME_SAMPLES
      return all.subarray(at - FRAME_SAMPLES, at) as Audio
    }
    const frame = silence()
    for (let filled = 0; filled < FRAME_SAMPLES;) {
      if (at >= all.length) {
        if (!loop) break
        at = 0
      }
      const part = all.subarray(at, at + FRAME_SAMPLES - filled)
      frame.set(part, filled)
      filled += part.length
      at += part.length
    }
    return frame
  }

  return {
    next: (law) => next(sound.codes(law), () => new Uint8Array(FRAME_SAMPLES).fill(SILENT_CODE[law])),
    nextSamples: () => next(sound.samples, () => new Int16Array(FRAME_SAMPLES)),
  }
}
