import { FRAME_SAMPLES } from '../audio/frame.ts'
import { encodeG711, type Law, SILENT_CODE } from '../audio/g711.ts'

/** Audio at 8 kHz, encoded once for each law, however many calls play it. */
export interface EncodedSound {
  readonly bytes: number
  /** It is meant to be looped. */
  readonly loops: boolean
  codes(law: Law): Uint8Array
}

export function encodedSound(samples: Int16Array, loops = false): EncodedSound {
  const codes: Partial<Record<Law, Uint8Array>> = {}
  return {
    bytes: samples.length * 4,
    loops,
    codes: (law) => (codes[law] ??= encodeG711(law, samples)),
  }
}

export interface Player {
  /** The next 20 ms; undefined after the end. */
  next(law: Law): Uint8Array | undefined
}

/** Plays once, with the last frame padded with silence, or in a seamless loop. */
export function createPlayer(sound: EncodedSound, loop: boolean): Player {
  let at = 0
  return {
    next(law) {
      const codes = sound.codes(law)
      if (at >= codes.length && !loop) return undefined
      if (at + FRAME_SAMPLES <= codes.length) {
        at += FRAME_SAMPLES
        return codes.subarray(at - FRAME_SAMPLES, at)
      }
      const frame = new Uint8Array(FRAME_SAMPLES).fill(SILENT_CODE[law])
      for (let filled = 0; filled < FRAME_SAMPLES;) {
        if (at >= codes.length) {
          if (!loop) break
          at = 0
        }
        const part = codes.subarray(at, at + FRAME_SAMPLES - filled)
        frame.set(part, filled)
        filled += part.length
        at += part.length
      }
      return frame
    },
  }
}
