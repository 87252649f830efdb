import { SAMPLE_RATE } from '../audio/frame.ts'
import type { OpusDecoder } from '../audio/opus.ts'
import { type RtpPacket, timestampDistance } from './packet.ts'

/** Ticks of an RTP timestamp of Opus for each of our samples. */
const TICKS = 48_000 / SAMPLE_RATE
/** Longer gaps are pauses of the sender, or beyond repair. */
const CONCEALED_SAMPLES_MAX = SAMPLE_RATE * 0.12
/** What is older than this begins a new stream. */
const LATE_TICKS_MAX = 48_000

/** A piece of telephone audio. Its timestamp counts samples. */
export interface DecodedAudio {
  timestamp: number
  samples: Int16Array
}

/**
 * Decodes the packets of one stream in the order of their arrival. Missing packets are restored when the next one
 * arrives; if they arrive after that, they are dropped.
 */
export function createOpusReceiver(decoder: OpusDecoder) {
  /** Where the next packet should begin, as the sender counts and in samples. */
  let next: { ticks: number; sample: number } | undefined
  let packetSamples = 0

  /** Whole packets only: a gap of another length is nothing that the decoder could fill. */
  function fillGap(missing: number, { payload }: RtpPacket): DecodedAudio[] {
    if (missing <= 0 || missing > CONCEALED_SAMPLES_MAX || missing % packetSamples !== 0) return []
    const filled: DecodedAudio[] = []
    for (let at = 0; at < missing; at += packetSamples) {
      const isLast = at + packetSamples === missing
      const samples = isLast ? decoder.restore(payload, packetSamples) : decoder.conceal(packetSamples)
      if (samples) filled.push({ timestamp: (next!.sample + at) >>> 0, samples })
    }
    return filled
  }

  return {
    push(packet: RtpPacket): DecodedAudio[] {
      next ??= { ticks: packet.timestamp, sample: 0 }
      const ahead = timestampDistance(next.ticks, packet.timestamp)
      if (ahead < 0 && ahead > -LATE_TICKS_MAX) return []
      const missing = Math.round(ahead / TICKS)
      const decoded = packetSamples > 0 ? fillGap(missing, packet) : []
      const samples = decoder.decode(packet.payload)
      if (!samples) return decoded
      packetSamples = samples.length
      const timestamp = (next.sample + missing) >>> 0
      next = { ticks: packet.timestamp + samples.length * TICKS, sample: timestamp + samples.length }
      decoded.push({ timestamp, samples })
      return decoded
    },
    close: (): void => decoder.close(),
  }
}

export type OpusReceiver = ReturnType<typeof createOpusReceiver>
