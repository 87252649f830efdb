import { createDtmfDetector, type DtmfDetector } from '../audio/dtmf-detector.ts'
import type { Digit } from '../audio/dtmf.ts'
import { FRAME_SAMPLES } from '../audio/frame.ts'
import { decodeG711, type Law } from '../audio/g711.ts'
import { createJitterBuffer, type JitterBuffer } from '../rtp/jitter-buffer.ts'
import type { RtpPacket } from '../rtp/packet.ts'
import { createEventReceiver } from '../rtp/telephone-event.ts'

/** The receive path of a leg. It decodes only while somebody listens. */
export interface ReceivePath {
  /** Returns a function that stops listening. */
  listen(): () => void
  sound(packet: RtpPacket, law: Law): void
  event(packet: RtpPacket): Digit | undefined
  /** Advances by 20 ms. */
  tick(): void
  /** The frame of this tick. */
  readonly frame: Int16Array
  /** Switches in-band DTMF detection on or off. */
  findKeys(on: boolean): void
  /** Digits detected in this tick. */
  readonly keys: Digit[]
}

const SILENCE = new Int16Array(FRAME_SAMPLES)

export function createReceivePath(): ReceivePath {
  const events = createEventReceiver()
  let listeners = 0
  let buffer: JitterBuffer | undefined
  let ssrc: number | undefined
  let detector: DtmfDetector | undefined
  let frame: Int16Array = SILENCE
  let keys: Digit[] = []
  return {
    listen() {
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
    sound(packet, law) {
      if (listeners === 0) return
      if (!buffer || ssrc !== packet.ssrc) buffer = createJitterBuffer()
      ssrc = packet.ssrc
      buffer.push(packet.timestamp, decodeG711(law, packet.payload))
    },
    event: (packet) => events.push(packet),
    tick() {
      if (listeners === 0) return
      frame = buffer?.pull() ?? SILENCE
      keys = detector?.push(frame) ?? []
    },
    get frame() {
      return frame
    },
    findKeys(on) {
      detector = on ? (detector ?? createDtmfDetector()) : undefined
      if (!on) keys = []
    },
    get keys() {
      return keys
    },
  }
}
