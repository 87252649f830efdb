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
 * continue where the last source stopped, and gaps and order within a source are kept. A class, because numbers that
 * change with every packet are updated in place in its fields; as variables of a closure, each would be allocated anew.
 */
class OutgoingStream {
  readonly ssrc: number
  readonly #sent = createIndexWindow()
  #source: object | undefined
  #began = 0
  #highest: number
  #highestIn = 0
  #timestampOffset = 0
  /** The timestamp for the next source, and its time. */
  #endTimestamp: number
  #endMs = -1

  constructor(start: { ssrc: number; sequence: number; timestamp: number }) {
    this.ssrc = start.ssrc
    this.#highest = start.sequence - 1
    this.#endTimestamp = start.timestamp
  }

  /** Undefined for packets that must not be sent: duplicates, and those from before their source began. */
  place(
    from: object,
    packet: { sequence: number; timestamp: number },
    atMs: number,
    /** How far it goes, in ticks of its clock. */
    ticks = FRAME_SAMPLES,
    clockRate: number = SAMPLE_RATE,
  ): StreamPosition | undefined {
    let distance = sequenceDistance(this.#highestIn, packet.sequence)
    const first = from !== this.#source || Math.abs(distance) > SEQUENCE_JUMP_MAX
    if (first) {
      this.#begin(from, packet, atMs, clockRate)
      distance = 1
    }
    const index = this.#highest + distance
    if (index < this.#began || !this.#sent.take(index)) return undefined
    const timestamp = (packet.timestamp + this.#timestampOffset) >>> 0
    if (distance > 0) {
      this.#highest = index
      this.#highestIn = packet.sequence
    }
    if (first || timestampDistance(this.#endTimestamp, timestamp + ticks) > 0) {
      this.#endTimestamp = (timestamp + ticks) >>> 0
      this.#endMs = atMs
    }
    return { index, sequence: index & 0xffff, timestamp, first }
  }

  /** The next packet starts a new source: after silence on our side there is no gap to conceal. */
  interrupt(): void {
    this.#source = undefined
  }

  #begin(
    from: object,
    packet: { sequence: number; timestamp: number },
    atMs: number,
    clockRate: number,
  ): void {
    const pausedMs = this.#endMs < 0 ? 0 : Math.max(0, atMs - this.#endMs - FRAME_MS)
    const paused = Math.round((pausedMs * clockRate) / 1_000)
    this.#source = from
    this.#began = this.#highest + 1
    this.#highestIn = (packet.sequence - 1) & 0xffff
    this.#timestampOffset = this.#endTimestamp + paused - packet.timestamp
  }
}

export const createOutgoingStream = (start: { ssrc: number; sequence: number; timestamp: number }) =>
  new OutgoingStream(start)
