import { type RtpPacket, sequenceDistance } from './packet.ts'

/** The reception statistics of a report (RFC 3550 §6.4.1). */
export interface ReceptionReport {
  ssrc: number
  /** Since the last report, in 256ths. */
  fractionLost: number
  lost: number
  highestSequence: number
  /** In ticks of the stream's clock. */
  jitter: number
}

const LOST_MAX = 0x7f_ffff

/**
 * Statistics of one stream, as in RFC 3550 appendix A.3 and A.8. A class for the same reason as the outgoing stream: the
 * numbers change with every packet.
 */
class Reception {
  readonly ssrc: number
  readonly #base: number
  #highest: number
  #received = 0
  #jitter = 0
  #rate = 1
  #lastTransit = NaN
  #reported = { expected: 0, received: 0 }

  constructor({ ssrc, sequence }: RtpPacket) {
    this.ssrc = ssrc
    this.#base = this.#highest = sequence
  }

  count(packet: RtpPacket, atMs: number, clockRate: number): void {
    this.#rate = clockRate
    this.#received++
    const ahead = sequenceDistance(this.#highest & 0xffff, packet.sequence)
    if (ahead > 0) this.#highest += ahead
    const transit = (atMs * clockRate) / 1_000 - packet.timestamp
    const change = Math.abs(transit - this.#lastTransit)
    this.#lastTransit = transit
    // A jump of seconds is a restart of the stream, not jitter. The first packet has no change: NaN is never smaller.
    if (change < clockRate) this.#jitter += (change - this.#jitter) / 16
  }

  received(): number {
    return this.#received
  }

  lost(): number {
    return Math.max(0, this.#expected() - this.#received)
  }

  jitterMs(): number {
    return (this.#jitter * 1_000) / this.#rate
  }

  report(): ReceptionReport {
    const interval = {
      expected: this.#expected() - this.#reported.expected,
      received: this.#received - this.#reported.received,
    }
    this.#reported = { expected: this.#expected(), received: this.#received }
    const missing = Math.max(0, interval.expected - interval.received)
    const fraction = interval.expected > 0 ? Math.floor((missing * 256) / interval.expected) : 0
    return {
      ssrc: this.ssrc,
      fractionLost: Math.min(255, fraction),
      lost: Math.min(LOST_MAX, this.lost()),
      highestSequence: this.#highest >>> 0,
      jitter: Math.round(this.#jitter),
    }
  }

  #expected(): number {
    return this.#highest - this.#base + 1
  }
}

export type { Reception }

export const createReception = (first: RtpPacket): Reception => new Reception(first)
