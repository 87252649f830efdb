import { RECOGNITION_LIMITS } from '../../limits.ts'
import { VAD_FRAME_MS } from './voice-activity.ts'

/** A period in which one channel speaks. */
export interface SpeechInterval {
  startMs: number
  endMs: number
}

/** The probability of speech at which a stretch begins, and below which it pauses. */
const BEGINS = 0.5
const PAUSES = 0.35
const framesOf = (ms: number) => Math.ceil(ms / VAD_FRAME_MS)
const LONGEST = framesOf(RECOGNITION_LIMITS.passageMsMax)

export function speechIntervalsOf(likely: Float32Array): SpeechInterval[] {
  const found: [from: number, to: number][] = []
  let from = -1
  let quietFrom = -1
  for (let frame = 0; frame < likely.length; frame++) {
    const value = likely[frame]!
    if (from < 0) {
      if (value < BEGINS) continue
      from = frame
      quietFrom = -1
    } else if (value >= BEGINS) quietFrom = -1
    else if (value < PAUSES && quietFrom < 0) quietFrom = frame

    const length = frame - from
    const pauseMs =
      length > LONGEST * RECOGNITION_LIMITS.stretchNearlyFull
        ? RECOGNITION_LIMITS.stretchShortPauseMs
        : RECOGNITION_LIMITS.stretchPauseMs
    if (quietFrom >= 0 && frame - quietFrom >= framesOf(pauseMs)) {
      found.push([from, quietFrom])
      from = -1
    } else if (length >= LONGEST) {
      const cut = quietestIn(likely, from + Math.floor(length / 2), frame)
      found.push([from, cut])
      from = cut
      quietFrom = -1
    }
  }
  if (from >= 0) found.push([from, quietFrom >= 0 ? quietFrom : likely.length])
  return found
    .map(([start, end]) => ({ startMs: start * VAD_FRAME_MS, endMs: end * VAD_FRAME_MS }))
    .filter(({ startMs, endMs }) => endMs - startMs >= RECOGNITION_LIMITS.stretchMsMin)
}

/** Speech without a pause is split where a pause is most likely. */
function quietestIn(likely: Float32Array, from: number, to: number): number {
  let quietest = from
  for (let frame = from; frame < to; frame++) if (likely[frame]! <= likely[quietest]!) quietest = frame
  return quietest
}
