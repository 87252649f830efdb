import { FRAME_SAMPLES, samplesIn } from '../audio/frame.ts'
import { createIndexWindow } from './index-window.ts'
import { sequenceDistance, timestampDistance } from './packet.ts'

/** Packets further from the last than this are a new beginning, even if the source calls itself the same. */
const SEQUENCE_JUMP_MAX = 3_000

/** The place of a packet in the one stream that a leg sends. */
export interface Place {
  /** The sequence number with all its turns: what SRTP counts by. */
  index: number
  sequence: number
  timestamp: number
  /** The source began or changed here. */
  first: boolean
}

/**
 * What a leg sends is one stream with one SSRC from its beginning to its end, whoever speaks in it: sequence numbers
 * and timestamps go on where the last source stopped, and within a source its own gaps and order are kept.
 */
export interface OutgoingStream {
  readonly ssrc: number
  /** Undefined for what must not be sent: a duplicate, or a straggler from before its source began. */
  place(
    source: object,
    packet: { sequence: number; timestamp: number },
    atMs: number,
    samples?: number,
  ): Place | undefined
  /** What comes next is a new beginning, whoever it is from: after silence on our side there is no gap to conceal. */
  interrupt(): void
}

export function createOutgoingStream(start: {
  ssrc: number
  sequence: number
  timestamp: number
}): OutgoingStream {
  const sent = createIndexWindow()
  let source: object | undefined
  let began = 0
  let highest = start.sequence - 1
  let highestIn = 0
  let timestampOffset = 0
  /** Where the timestamp of something new belongs, and when that was. */
  let end = { timestamp: start.timestamp, atMs: -1 }

  function begin(from: object, packet: { sequence: number; timestamp: number }, atMs: number): void {
    const paused = end.atMs < 0 ? 0 : Math.max(0, samplesIn(atMs - end.atMs) - FRAME_SAMPLES)
    source = from
    began = highest + 1
    highestIn = (packet.sequence - 1) & 0xffff
    timestampOffset = end.timestamp + paused - packet.timestamp
  }

  return {
    ssrc: start.ssrc,
    place(from, packet, atMs, samples = FRAME_SAMPLES) {
      let distance = sequenceDistance(highestIn, packet.sequence)
      const first = from !== source || Math.abs(distance) > SEQUENCE_JUMP_MAX
      if (first) {
        begin(from, packet, atMs)
        distance = 1
      }
      const index = highest + distance
      if (index < began || !sent.take(index)) return undefined
      const timestamp = (packet.timestamp + timestampOffset) >>> 0
      if (distance > 0) {
        highest = index
        highestIn = packet.sequence
      }
      if (first || timestampDistance(end.timestamp, timestamp + samples) > 0) {
        end = { timestamp: (timestamp + samples) >>> 0, atMs }
      }
      return { index, sequence: index & 0xffff, timestamp, first }
    },
    interrupt() {
      source = undefined
    },
  }
}
