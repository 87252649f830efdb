/** One RTP packet (RFC 3550 §5.1). The payload is a view into the bytes it was read from. */
export interface RtpPacket {
  payloadType: number
  marker: boolean
  sequence: number
  timestamp: number
  ssrc: number
  payload: Buffer
}

const RTP_HEADER_BYTES = 12

export function parseRtp(bytes: Buffer): RtpPacket | undefined {
  const start = payloadStart(bytes)
  if (start === undefined) return undefined
  const padding = bytes[0]! & 0x20 ? bytes[bytes.length - 1]! : 0
  const end = bytes.length - padding
  if (end < start) return undefined
  return {
    payloadType: bytes[1]! & 0x7f,
    marker: (bytes[1]! & 0x80) !== 0,
    sequence: bytes.readUInt16BE(2),
    timestamp: bytes.readUInt32BE(4),
    ssrc: bytes.readUInt32BE(8),
    payload: bytes.subarray(start, end),
  }
}

/** The offset of the payload, after CSRCs and extensions; undefined if this is not RTP. */
export function payloadStart(bytes: Buffer): number | undefined {
  if (bytes.length < RTP_HEADER_BYTES || bytes[0]! >> 6 !== 2) return undefined
  let start = RTP_HEADER_BYTES + (bytes[0]! & 0x0f) * 4
  if (bytes[0]! & 0x10) {
    if (bytes.length < start + 4) return undefined
    start += 4 + bytes.readUInt16BE(start + 2) * 4
  }
  return start <= bytes.length ? start : undefined
}

/** Takes separate arguments and no object, because it runs for every packet of every call. */
export function writeRtp(
  payloadType: number,
  marker: boolean,
  sequence: number,
  timestamp: number,
  ssrc: number,
  payload: Uint8Array,
): Buffer {
  const bytes = Buffer.allocUnsafe(RTP_HEADER_BYTES + payload.length)
  bytes[0] = 0x80
  bytes[1] = payloadType | (marker ? 0x80 : 0)
  bytes.writeUInt16BE(sequence, 2)
  bytes.writeUInt32BE(timestamp, 4)
  bytes.writeUInt32BE(ssrc, 8)
  bytes.set(payload, RTP_HEADER_BYTES)
  return bytes
}

/** RTP and RTCP on one port differ in the second byte (RFC 5761 §4). */
export const isRtcp = (bytes: Buffer): boolean => bytes[1]! >= 192 && bytes[1]! <= 223

/** The distance from a to b, with wrap-around. */
export const sequenceDistance = (a: number, b: number): number => ((b - a) << 16) >> 16
export const timestampDistance = (a: number, b: number): number => (b - a) | 0
