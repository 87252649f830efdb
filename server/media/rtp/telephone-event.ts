import { DIGITS, type Digit } from '../audio/dtmf.ts'
import { FRAME_MS } from '../audio/frame.ts'
import { MEDIA_LIMITS } from '../limits.ts'
import type { RtpPacket } from './packet.ts'

/** DTMF digits as telephone events (RFC 4733). All packets of one press have the timestamp of its beginning. */
export function createEventReceiver() {
  let last: { ssrc: number; timestamp: number } | undefined
  return {
    /** The digit that begins with this packet; each press once, however many of its packets are lost. */
    push({ ssrc, timestamp, payload }: RtpPacket): Digit | undefined {
      if (payload.length < 4) return undefined
      if (last?.timestamp === timestamp && last.ssrc === ssrc) return undefined
      last = { timestamp, ssrc }
      return DIGITS[payload[0]!] as Digit | undefined
    },
  }
}

/** One packet of a press, sent 20 ms after the previous one. */
export interface EventPacket {
  payload: Buffer
  marker: boolean
}

const END = 0x80
const VOLUME = 10

/** The end is sent three times (RFC 4733 §2.5.1.4), in case of loss. */
const TIMES_ENDED = 3

/** The packets of one press, frame by frame; undefined in the pause after it. */
export function* digitPackets(digit: Digit, clockRate: number): Generator<EventPacket | undefined, void> {
  const frames = Math.ceil(MEDIA_LIMITS.dtmfToneMs / FRAME_MS)
  const frameTicks = (clockRate * FRAME_MS) / 1_000
  for (let frame = 1; frame <= frames; frame++) {
    yield { payload: eventPayload(digit, frame * frameTicks, false), marker: frame === 1 }
  }
  const payload = eventPayload(digit, frames * frameTicks, true)
  for (let time = 0; time < TIMES_ENDED; time++) yield { payload, marker: false }
  for (let ms = 0; ms < MEDIA_LIMITS.dtmfPauseMs; ms += FRAME_MS) yield undefined
}

function eventPayload(digit: Digit, durationTicks: number, end: boolean): Buffer {
  const payload = Buffer.alloc(4)
  payload[0] = DIGITS.indexOf(digit)
  payload[1] = (end ? END : 0) | VOLUME
  payload.writeUInt16BE(durationTicks, 2)
  return payload
}
