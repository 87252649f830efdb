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

/** Statistics of one stream, as in RFC 3550 appendix A.3 and A.8. */
export function createReception({ ssrc, sequence: base }: RtpPacket) {
  let highest = base
  let received = 0
  let jitter = 0
  let rate = 1
  let lastTransit: number | undefined
  let reported = { expected: 0, received: 0 }
  const expected = () => highest - base + 1
  const lost = () => Math.max(0, expected() - received)
  return {
    ssrc,
    received: (): number => received,
    count(packet: RtpPacket, atMs: number, clockRate: number): void {
      rate = clockRate
      received++
      highest = Math.max(highest, highest + sequenceDistance(highest & 0xffff, packet.sequence))
      const transit = (atMs * rate) / 1_000 - packet.timestamp
      const change = lastTransit === undefined ? 0 : Math.abs(transit - lastTransit)
      lastTransit = transit
      // A jump of seconds is a restart of the stream, not jitter.
      if (change < rate) jitter += (change - jitter) / 16
    },
    lost,
    jitterMs: (): number => (jitter * 1_000) / rate,
    report(): ReceptionReport {
      const interval = { expected: expected() - reported.expected, received: received - reported.received }
      reported = { expected: expected(), received }
      const missing = Math.max(0, interval.expected - interval.received)
      const fraction = interval.expected > 0 ? Math.floor((missing * 256) / interval.expected) : 0
      return {
        ssrc,
        fractionLost: Math.min(255, fraction),
        lost: Math.min(LOST_MAX, lost()),
        highestSequence: highest >>> 0,
        jitter: Math.round(jitter),
      }
    },
  }
}

export type Reception = ReturnType<typeof createReception>
