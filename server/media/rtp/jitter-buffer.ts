import { FRAME_SAMPLES, samplesIn } from '../audio/frame.ts'
import { MEDIA_LIMITS } from '../limits.ts'
import { createConcealment } from './concealment.ts'
import { timestampDistance } from './packet.ts'

/** In samples. */
const START = samplesIn(MEDIA_LIMITS.jitterStartMs)
const DELAY_MAX = samplesIn(MEDIA_LIMITS.jitterDelayMsMax)
const JUMP = samplesIn(MEDIA_LIMITS.jitterJumpMs)
const CALM = samplesIn(MEDIA_LIMITS.jitterCalmMs)

interface Piece {
  /** In samples since the beginning of the stream; never wraps. */
  start: number
  samples: Int16Array
}

/** Turns packets that arrive irregularly into one frame every 20 ms. */
export function createJitterBuffer() {
  const concealment = createConcealment()
  let pieces: Piece[] = []
  let origin: number | undefined
  let next = 0
  let end = 0
  let late = 0
  let calm = { pulls: 0, least: Infinity }
  let concealed = 0

  function restart(timestamp: number): void {
    origin = timestamp
    pieces = []
    next = -START
    end = 0
    late = 0
    calm = { pulls: 0, least: Infinity }
  }

  /** Increases the delay for a packet that came too late, up to a limit. */
  function admit(start: number, length: number): boolean {
    const shortBy = next - start
    if (shortBy <= 0) return true
    const back = Math.ceil(shortBy / FRAME_SAMPLES) * FRAME_SAMPLES
    if (Math.max(end, start + length) - (next - back) <= DELAY_MAX) {
      next -= back
      return true
    }
    return start + length > next
  }

  function insert(piece: Piece): void {
    const at = pieces.findLastIndex((other) => other.start <= piece.start)
    if (pieces[at]?.start === piece.start) return
    pieces.splice(at + 1, 0, piece)
    end = Math.max(end, piece.start + piece.samples.length)
  }

  /** A faster clock at the sender, or an old burst, leaves more in the buffer than is needed. */
  function takeBackDelay(): void {
    const waiting = end - next
    calm = { pulls: calm.pulls + 1, least: Math.min(calm.least, waiting) }
    const tooMuch = waiting > DELAY_MAX + FRAME_SAMPLES
    if (!tooMuch && calm.pulls < MEDIA_LIMITS.jitterCalmFrames) return
    if (tooMuch || calm.least > CALM) next += FRAME_SAMPLES
    calm = { pulls: 0, least: Infinity }
  }

  /** Most packets are one frame; that frame is passed on as it is. */
  function wholeFrame(): Int16Array | undefined {
    const piece = pieces[0]
    if (piece?.start !== next || piece.samples.length !== FRAME_SAMPLES) return undefined
    concealment.heard(piece.samples)
    return piece.samples
  }

  function collect(): Int16Array {
    const frame = new Int16Array(FRAME_SAMPLES)
    let at = next
    const stop = next + FRAME_SAMPLES
    for (const piece of pieces) {
      if (piece.start >= stop) break
      if (piece.start > at) {
        conceal(frame.subarray(at - next, piece.start - next))
        at = piece.start
      }
      const part = piece.samples.subarray(at - piece.start, stop - piece.start)
      frame.set(part, at - next)
      concealment.heard(frame.subarray(at - next, at - next + part.length))
      at += part.length
    }
    if (at < stop) conceal(frame.subarray(at - next))
    return frame
  }

  function conceal(gap: Int16Array): void {
    concealment.fill(gap)
    concealed += gap.length
  }

  return {
    push(timestamp: number, samples: Int16Array): void {
      if (origin === undefined) restart(timestamp)
      // Relative to the newest sample, so that wrapping timestamps do not matter.
      let start = end + timestampDistance((origin! + end) >>> 0, timestamp)
      const ahead = start + samples.length - next
      if (Math.max(end - start, ahead) > JUMP || late >= MEDIA_LIMITS.jitterLatePacketsMax) {
        restart(timestamp)
        start = 0
      }
      if (!admit(start, samples.length)) {
        late++
        return
      }
      late = 0
      insert({ start, samples })
    },
    /** The next frame, with gaps concealed. */
    pull(): Int16Array {
      if (origin === undefined) return new Int16Array(FRAME_SAMPLES)
      takeBackDelay()
      const frame = wholeFrame() ?? collect()
      next += FRAME_SAMPLES
      while (pieces[0] && pieces[0].start + pieces[0].samples.length <= next) pieces.shift()
      return frame
    },
    get concealedSamples() {
      return concealed
    },
  }
}

export type JitterBuffer = ReturnType<typeof createJitterBuffer>
