import { createDtmfDetector, type DtmfDetector } from '../audio/dtmf-detector.ts'
import type { Digit } from '../audio/dtmf.ts'
import { FRAME_SAMPLES } from '../audio/frame.ts'
import { decodeG711, type Law } from '../audio/g711.ts'
import { createJitterBuffer, type JitterBuffer } from '../rtp/jitter-buffer.ts'
import type { RtpPacket } from '../rtp/packet.ts'
import { createEventReceiver } from '../rtp/telephone-event.ts'

const SILENCE = new Int16Array(FRAME_SAMPLES)

/** The receive path of a leg. It decodes only while somebody listens. */
export function createReceivePath() {
  const events = createEventReceiver()
  let listeners = 0
  let buffer: JitterBuffer | undefined
  let ssrc: number | undefined
  let detector: DtmfDetector | undefined
  let frame: Int16Array = SILENCE
  let keys: Digit[] = []
  return {
    /** Returns a function that stops listening. */
    listen(): () => void {
      listeners++
      let listening = true
      return () => {
        if (!listening) return
        listening = false
        listeners--
        if (listeners === 0) {
          buffer = undefined
          frame = SILENCE
        }
      }
    },
    sound(packet: RtpPacket, law: Law): void {
      if (listeners === 0) return
      if (!buffer || ssrc !== packet.ssrc) buffer = createJitterBuffer()
      ssrc = packet.ssrc
      buffer.push(packet.timestamp, decodeG711(law, packet.payload))
    },
    event: (packet: RtpPacket): Digit | undefined => events.push(packet),
    /** Advances by 20 ms. */
    tick(): void {
      if (listeners === 0) return
      frame = buffer?.pull() ?? SILENCE
      keys = detector?.push(frame) ?? []
    },
    /** The frame of this tick. */
    get frame() {
      return frame
    },
    /** Switches in-band DTMF detection on or off. */
    findKeys(on: boolean): void {
      detector = on ? (detector ?? createDtmfDetector()) : undefined
      if (!on) keys = []
    },
    /** Digits detected in this tick. */
    get keys() {
      return keys
    },
  }
}

export type ReceivePath = ReturnType<typeof createReceivePath>
