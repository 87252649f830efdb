/** One RTP packet (RFC 3550 §5.1). */
export interface RtpPacket {
  readonly payloadType: number
  readonly marker: boolean
  readonly sequence: number
  readonly timestamp: number
  readonly ssrc: number
  readonly payload: Buffer
}

const RTP_HEADER_BYTES = 12

/** A packet in the bytes that were received, which nobody else uses: they can be sent on. */
export class ReceivedRtp implements RtpPacket {
  readonly payloadType: number
  readonly marker: boolean
  readonly sequence: number
  readonly timestamp: number
  readonly ssrc: number
  readonly #bytes: Buffer
  readonly #start: number
  readonly #end: number

  constructor(bytes: Buffer, start: number, end: number) {
    this.payloadType = bytes[1]! & 0x7f
    this.marker = (bytes[1]! & 0x80) !== 0
    this.sequence = bytes.readUInt16BE(2)
    this.timestamp = bytes.readUInt32BE(4)
    this.ssrc = bytes.readUInt32BE(8)
    this.#bytes = bytes
    this.#start = start
    this.#end = end
  }

  get payloadBytes(): number {
    return this.#end - this.#start
  }

  /** A view into the bytes, made only where somebody looks at them: most packets are relayed as they are. */
  get payload(): Buffer {
    return this.#bytes.subarray(this.#start, this.#end)
  }

  /** The same payload with another header, in the same bytes, without CSRCs, extensions and padding. */
  withHeader(
    payloadType: number,
    marker: boolean,
    sequence: number,
    timestamp: number,
    ssrc: number,
  ): Buffer {
    const at = this.#start - RTP_HEADER_BYTES
    const isWhole = at === 0 && this.#end === this.#bytes.length
    const bytes = isWhole ? this.#bytes : this.#bytes.subarray(at, this.#end)
    writeHeader(bytes, payloadType, marker, sequence, timestamp, ssrc)
    return bytes
  }
}

export function parseRtp(bytes: Buffer): ReceivedRtp | undefined {
  const start = payloadStart(bytes)
  if (start === undefined) return undefined
  const padding = bytes[0]! & 0x20 ? bytes[bytes.length - 1]! : 0
  const end = bytes.length - padding
  return end < start ? undefined : new ReceivedRtp(bytes, start, end)
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
  writeHeader(bytes, payloadType, marker, sequence, timestamp, ssrc)
  bytes.set(payload, RTP_HEADER_BYTES)
  return bytes
}

function writeHeader(
  bytes: Buffer,
  payloadType: number,
  marker: boolean,
  sequence: number,
  timestamp: number,
  ssrc: number,
): void {
  bytes[0] = 0x80
  bytes[1] = payloadType | (marker ? 0x80 : 0)
  bytes.writeUInt16BE(sequence, 2)
  bytes.writeUInt32BE(timestamp, 4)
  bytes.writeUInt32BE(ssrc, 8)
}

/** RTP and RTCP on one port differ in the second byte (RFC 5761 §4). */
export const isRtcp = (bytes: Buffer): boolean => bytes[1]! >= 192 && bytes[1]! <= 223

/** The distance from a to b, with wrap-around. */
export const sequenceDistance = (a: number, b: number): number => ((b - a) << 16) >> 16
export const timestampDistance = (a: number, b: number): number => (b - a) | 0
