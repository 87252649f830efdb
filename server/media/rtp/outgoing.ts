import { FRAME_MS, FRAME_SAMPLES, SAMPLE_RATE } from '../audio/frame.ts'
import { createIndexWindow } from './index-window.ts'
import { sequenceDistance, timestampDistance } from './packet.ts'

/** A larger distance to the last packet means a restart, even within one source. */
const SEQUENCE_JUMP_MAX = 3_000

/** Position of a packet in the outgoing stream of a leg. */
export interface StreamPosition {
  /** The sequence number with its rollovers, as SRTP counts. */
  index: number
  sequence: number
  timestamp: number
  /** The first packet of a source. */
  first: boolean
}

/**
 * A leg sends one stream with one SSRC from beginning to end, whoever speaks: sequence numbers and timestamps
 * continue where the last source stopped, and gaps and order within a source are kept.
 */
export function createOutgoingStream(start: { ssrc: number; sequence: number; timestamp: number }) {
  const sent = createIndexWindow()
  let source: object | undefined
  let began = 0
  let highest = start.sequence - 1
  let highestIn = 0
  let timestampOffset = 0
  /** The timestamp for the next source, and its time. */
  let end = { timestamp: start.timestamp, atMs: -1 }

  function begin(
    from: object,
    packet: { sequence: number; timestamp: number },
    atMs: number,
    clockRate: number,
  ): void {
    const pausedMs = end.atMs < 0 ? 0 : Math.max(0, atMs - end.atMs - FRAME_MS)
    const paused = Math.round((pausedMs * clockRate) / 1_000)
    source = from
    began = highest + 1
    highestIn = (packet.sequence - 1) & 0xffff
    timestampOffset = end.timestamp + paused - packet.timestamp
  }

  return {
    ssrc: start.ssrc,
    /** Undefined for packets that must not be sent: duplicates, and those from before their source began. */
    place(
      from: object,
      packet: { sequence: number; timestamp: number },
      atMs: number,
      /** How far it goes, in ticks of its clock. */
      ticks = FRAME_SAMPLES,
      clockRate: number = SAMPLE_RATE,
    ): StreamPosition | undefined {
      let distance = sequenceDistance(highestIn, packet.sequence)
      const first = from !== source || Math.abs(distance) > SEQUENCE_JUMP_MAX
      if (first) {
        begin(from, packet, atMs, clockRate)
        distance = 1
      }
      const index = highest + distance
      if (index < began || !sent.take(index)) return undefined
      const timestamp = (packet.timestamp + timestampOffset) >>> 0
      if (distance > 0) {
        highest = index
        highestIn = packet.sequence
      }
      if (first || timestampDistance(end.timestamp, timestamp + ticks) > 0) {
        end = { timestamp: (timestamp + ticks) >>> 0, atMs }
      }
      return { index, sequence: index & 0xffff, timestamp, first }
    },
    /** The next packet starts a new source: after silence on our side there is no gap to conceal. */
    interrupt() {
      source = undefined
    },
  }
}
