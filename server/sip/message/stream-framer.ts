import { SIP_LIMITS } from '../limits.ts'

export type Frame =
  | { type: 'message'; bytes: Buffer }
  /** RFC 5626 §3.5.1: a double CRLF requests a single one. */
  | { type: 'ping' }
  | { type: 'pong' }
  /** Message boundaries can no longer be found on this stream. */
  | { type: 'broken'; why: string }

const CRLF = Buffer.from('\r\n')
const END_OF_HEADERS = Buffer.from('\r\n\r\n')
const CONTENT_LENGTH = /\r\n(?:content-length|l)[ \t]*:[ \t]*(\d{1,10})[ \t]*\r\n/i

/** Splits a stream into messages by their Content-Length. Buffers at most one message and one chunk. */
export class StreamFramer {
  #held: Buffer = Buffer.alloc(0)
  #broken = false
  /** How much of the buffer has been searched for the end of the headers. */
  #searched = 0
  /** Size of the message at the start of the buffer, once known. */
  #expected = 0

  /** Whether an incomplete message is buffered. */
  get isWaiting(): boolean {
    return this.#held.length > 0
  }

  push(chunk: Buffer): Frame[] {
    if (this.#broken) return []
    this.#held = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk])
    const frames: Frame[] = []
    for (let frame = this.#next(); frame; frame = this.#next()) {
      frames.push(frame)
      if (frame.type === 'broken') return this.#break(frames)
    }
    return frames
  }

  #break(frames: Frame[]): Frame[] {
    this.#broken = true
    this.#held = Buffer.alloc(0)
    return frames
  }

  #next(): Frame | undefined {
    if (this.#expected === 0) {
      const pings = pingsAtStart(this.#held)
      if (pings > 0) return this.#take(pings * END_OF_HEADERS.length, { type: 'ping' })
      // A single CRLF is a pong, unless the second half of a ping is still to come.
      if (startsWith(this.#held, CRLF) && this.#held.length !== 3) return this.#take(2, { type: 'pong' })
      const size = this.#measure()
      if (typeof size === 'object' || size === undefined) return size
      this.#expected = size
    }
    if (this.#held.length < this.#expected) return undefined
    return this.#take(this.#expected, { type: 'message', bytes: this.#held.subarray(0, this.#expected) })
  }

  #take(length: number, frame: Frame): Frame {
    this.#held = this.#held.subarray(length)
    this.#searched = 0
    this.#expected = 0
    return frame
  }

  #measure(): number | undefined | Frame {
    const end = this.#held.indexOf(END_OF_HEADERS, Math.max(0, this.#searched - END_OF_HEADERS.length))
    this.#searched = this.#held.length
    if (end === -1) {
      if (this.#held.length > SIP_LIMITS.messageBytesMax)
        return { type: 'broken', why: 'headers without end' }
      return undefined
    }
    const [, length] = CONTENT_LENGTH.exec(this.#held.toString('latin1', 0, end + 2)) ?? []
    if (length === undefined) return { type: 'broken', why: 'no content-length on a stream' }
    const size = end + END_OF_HEADERS.length + Number(length)
    return size > SIP_LIMITS.messageBytesMax ? { type: 'broken', why: 'too large' } : size
  }
}

/** Several pings count as one: a peer that sends thousands gets one response. */
function pingsAtStart(bytes: Buffer): number {
  let count = 0
  while (startsWith(bytes.subarray(count * END_OF_HEADERS.length), END_OF_HEADERS)) count++
  return count
}

function startsWith(bytes: Buffer, start: Buffer): boolean {
  return bytes.length >= start.length && bytes.compare(start, 0, start.length, 0, start.length) === 0
}
