import {
  Application,
  createDecoder,
  createEncoder,
  type OpusDecoderHandle,
  type OpusEncoderHandle,
} from 'libopus-wasm'

import { inBackground } from '../../platform/background.ts'
import type { Log } from '../../platform/log.ts'
import { FRAME_SAMPLES, SAMPLE_RATE } from './frame.ts'

/** Bits a second. What we encode is telephone audio, so there is room for redundancy. */
const BITRATE = 24_000
/** How much loss the redundancy is made for. */
const LOSS_PERCENT = 10
/** The cheapest. With telephone audio, the others sound the same for up to three times the CPU. */
const COMPLEXITY = 0

/** What the other side wants to receive. */
export interface OpusSettings {
  /** Bits a second. */
  bitrateMax?: number
  isBitrateConstant?: boolean
  /** It restores lost packets from the redundancy of others (in-band FEC). */
  usesRedundancy?: boolean
}

export interface OpusEncoder {
  /** A frame of 20 ms. Undefined until the encoder is ready: the first frame may be lost. */
  encode(frame: Int16Array): Uint8Array | undefined
  close(): void
}

export interface OpusDecoder {
  /** Undefined for what is not Opus, and until the decoder is ready. */
  decode(packet: Uint8Array): Int16Array | undefined
  /** The `samples` before a packet, which were lost: from its redundancy, if it has any, or else concealed. */
  restore(packet: Uint8Array, samples: number): Int16Array | undefined
  /** Samples that were lost with nothing to restore them from. */
  conceal(samples: number): Int16Array | undefined
  close(): void
}

/** Encoders and decoders of telephone audio. Each has its own memory, which is freed only when it is closed. */
export function createOpusCodecs(log: Pick<Log, 'error'>) {
  let open = 0

  function opened<Handle extends { free(): void }>(what: string, made: Promise<Handle>) {
    let handle: Handle | undefined
    let isClosed = false
    open++
    inBackground(
      log,
      `create an Opus ${what}`,
      made.then((ready) => {
        if (isClosed) ready.free()
        else handle = ready
      }),
    )
    return {
      get handle() {
        return handle
      },
      close(): void {
        if (isClosed) return
        isClosed = true
        open--
        handle?.free()
        handle = undefined
      },
    }
  }

  return {
    /** Encoders and decoders that are in use. */
    get open() {
      return open
    },
    encoder({
      bitrateMax = BITRATE,
      isBitrateConstant = false,
      usesRedundancy = false,
    }: OpusSettings = {}): OpusEncoder {
      const encoder = opened<OpusEncoderHandle>(
        'encoder',
        createEncoder({
          application: Application.Voip,
          sampleRate: SAMPLE_RATE,
          channels: 1,
          frameSize: FRAME_SAMPLES,
          bitrate: Math.min(BITRATE, bitrateMax),
          complexity: COMPLEXITY,
          vbr: !isBitrateConstant,
          fec: usesRedundancy,
          packetLossPercent: usesRedundancy ? LOSS_PERCENT : 0,
        }),
      )
      return { encode: (frame) => encoder.handle?.encode(frame), close: encoder.close }
    },
    decoder(): OpusDecoder {
      const decoder = opened<OpusDecoderHandle>(
        'decoder',
        createDecoder({ sampleRate: SAMPLE_RATE, channels: 1 }),
      )
      function decode(packet: Uint8Array | null, options: { decodeFec?: boolean; frameSize?: number } = {}) {
        try {
          return decoder.handle?.decode(packet, options)
        } catch {
          // Anybody may send a malformed packet; it is as good as lost.
          return undefined
        }
      }
      return {
        decode: (packet) => decode(packet),
        restore: (packet, samples) => decode(packet, { decodeFec: true, frameSize: samples }),
        conceal: (samples) => decode(null, { frameSize: samples }),
        close: decoder.close,
      }
    },
  }
}

export type OpusCodecs = ReturnType<typeof createOpusCodecs>
