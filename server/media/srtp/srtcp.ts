import { timingSafeEqual } from 'node:crypto'

import { createIndexWindow, type IndexWindow } from '../rtp/index-window.ts'
import { createKeyStream } from './key-stream.ts'
import { deriveKeys } from './session-keys.ts'
import { createSha1Hmac } from './sha1-hmac.ts'
import { rememberStream } from './srtp.ts'

/** The SRTCP tag has 80 bits even in the suite with the short SRTP tag (RFC 4568 §6.2.2). */
const TAG_BYTES = 10
const HEADER_BYTES = 8
const ENCRYPTED = 0x8000_0000

/** SRTCP (RFC 3711 §3.4): the packet contains its index and the encryption flag. */
export function createSrtcpSender(master: Buffer) {
  const keys = deriveKeys(master, 'rtcp')
  const stream = createKeyStream(keys.cipher, keys.salt)
  const hmac = createSha1Hmac(keys.auth)
  let index = 0
  return {
    protect(packet: Buffer): Buffer {
      index++
      const bytes = Buffer.alloc(packet.length + 4 + TAG_BYTES)
      packet.copy(bytes)
      stream.apply(bytes, HEADER_BYTES, packet.length, packet.readUInt32BE(4), index)
      const word = (ENCRYPTED | index) >>> 0
      bytes.writeUInt32BE(word, packet.length)
      hmac.sign(bytes, packet.length, word, bytes.subarray(packet.length + 4), TAG_BYTES)
      return bytes
    },
  }
}

export function createSrtcpReceiver(master: Buffer, mkiBytes = 0) {
  const keys = deriveKeys(master, 'rtcp')
  const stream = createKeyStream(keys.cipher, keys.salt)
  const hmac = createSha1Hmac(keys.auth)
  const expected = Buffer.alloc(TAG_BYTES)
  const seen = new Map<number, IndexWindow>()
  return {
    unprotect(bytes: Buffer): Buffer | undefined {
      const end = bytes.length - TAG_BYTES - mkiBytes - 4
      if (end < HEADER_BYTES) return undefined
      const word = bytes.readUInt32BE(end)
      hmac.sign(bytes, end, word, expected, TAG_BYTES)
      if (!timingSafeEqual(expected, bytes.subarray(end + 4 + mkiBytes))) return undefined
      const ssrc = bytes.readUInt32BE(4)
      const window = seen.get(ssrc) ?? createIndexWindow()
      if (!seen.has(ssrc)) rememberStream(seen, ssrc, window)
      const index = word & ~ENCRYPTED
      if (!window.take(index)) return undefined
      const packet = Buffer.from(bytes.subarray(0, end))
      if (word & ENCRYPTED) stream.apply(packet, HEADER_BYTES, end, ssrc, index)
      return packet
    },
  }
}
