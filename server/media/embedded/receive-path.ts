import { createDtmfDetector, type DtmfDetector } from '../audio/dtmf-detector.ts'
import type { Digit } from '../audio/dtmf.ts'
import { FRAME_SAMPLES } from '../audio/frame.ts'
import { decodeG711 } from '../audio/g711.ts'
import type { OpusCodecs } from '../audio/opus.ts'
import { createJitterBuffer, type JitterBuffer } from '../rtp/jitter-buffer.ts'
import { createOpusReceiver, type OpusReceiver } from '../rtp/opus-receiver.ts'
import type { RtpPacket } from '../rtp/packet.ts'
import { createEventReceiver } from '../rtp/telephone-event.ts'
import type { Codec } from '../sdp/codecs.ts'

const SILENCE: Int16Array = new Int16Array(FRAME_SAMPLES)
const NONE: readonly Digit[] = []

/** The receive path of a leg. It decodes only while somebody listens. */
export function createReceivePath(
  opus: OpusCodecs,
  /** Called when the first one listens, and when nobody does any more. */
  onListening: (isHeard: boolean) => void,
) {
  const events = createEventReceiver()
  let listeners = 0
  let buffer: JitterBuffer | undefined
  let receiver: OpusReceiver | undefined
  /** What arrived in Opus since the last tick. */
  let waiting: RtpPacket[] = []
  let ssrc: number | undefined
  let detector: DtmfDetector | undefined

  function stopDecoding(): void {
    buffer = undefined
    receiver?.close()
    receiver = undefined
    waiting = []
    path.frame = SILENCE
  }

  /** The packets of all legs are decoded one after another, while the code of the decoder is in the CPU's caches. */
  function decodeWaiting(): void {
    for (const packet of waiting) {
      for (const { timestamp, samples } of receiver!.push(packet)) {
        path.opusFrames++
        buffer!.push(timestamp, samples)
      }
    }
    waiting = []
  }

  // Fields instead of accessors, which would give every object a hidden class of its own in V8.
  const path = {
    /** The frame of this tick. */
    frame: SILENCE,
    /** Digits detected in this tick. */
    keys: NONE,
    /** The codec of the last packet. */
    codec: undefined as Codec | undefined,
    /** Those that were decoded. */
    opusFrames: 0,
    /** Returns a function that stops listening. */
    listen(): () => void {
      if (listeners++ === 0) onListening(true)
      let listening = true
      return () => {
        if (!listening) return
        listening = false
        listeners--
        if (listeners > 0) return
        onListening(false)
        stopDecoding()
      }
    },
    sound(packet: RtpPacket, sentIn: Codec): void {
      const isNew = path.codec !== sentIn || ssrc !== packet.ssrc
      path.codec = sentIn
      ssrc = packet.ssrc
      if (listeners === 0) return
      if (isNew) stopDecoding()
      buffer ??= createJitterBuffer()
      if (sentIn === 'opus') {
        receiver ??= createOpusReceiver(opus.decoder())
        waiting.push(packet)
      } else {
        buffer.push(packet.timestamp, decodeG711(sentIn, packet.payload))
      }
    },
    event: (packet: RtpPacket): Digit | undefined => events.push(packet),
    /** Advances by 20 ms. Only for a path that somebody listens to. */
    tick(): void {
      if (waiting.length > 0) decodeWaiting()
      path.frame = buffer?.pull() ?? SILENCE
      path.keys = detector?.push(path.frame) ?? NONE
    },
    /** Switches in-band DTMF detection on or off. */
    findKeys(on: boolean): void {
      detector = on ? (detector ?? createDtmfDetector()) : undefined
      if (!on) path.keys = NONE
    },
    close: stopDecoding,
  }
  return path
}

export type ReceivePath = ReturnType<typeof createReceivePath>
