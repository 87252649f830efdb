import { timingSafeEqual } from 'node:crypto'

import { createIndexWindow, type IndexWindow } from '../rtp/index-window.ts'
import { payloadStart } from '../rtp/packet.ts'
import type { Suite } from '../sdp/sdes.ts'
import { createKeyStream } from './key-stream.ts'
import { deriveKeys } from './session-keys.ts'
import { createSha1Hmac } from './sha1-hmac.ts'

const TAG_BYTES: Record<Suite, number> = { AES_CM_128_HMAC_SHA1_80: 10, AES_CM_128_HMAC_SHA1_32: 4 }

/** A peer may change its SSRC; one that keeps doing so must not use up memory. */
const STREAMS_MAX = 8

/** Encrypts and authenticates outgoing packets (RFC 3711). `index` is the sequence number with its rollovers. */
export function createSrtpSender(suite: Suite, master: Buffer) {
  const keys = deriveKeys(master, 'rtp')
  const stream = createKeyStream(keys.cipher, keys.salt)
  const hmac = createSha1Hmac(keys.auth)
  const tagBytes = TAG_BYTES[suite]
  return {
    protect(packet: Buffer, index: number): Buffer {
      const bytes = Buffer.allocUnsafe(packet.length + tagBytes)
      packet.copy(bytes)
      stream.apply(bytes, payloadStart(packet)!, packet.length, packet.readUInt32BE(8), index)
      const turns = Math.floor(index / 65_536)
      hmac.sign(bytes, packet.length, turns, bytes.subarray(packet.length), tagBytes)
      return bytes
    },
  }
}

interface Incoming {
  highest: number
  seen: IndexWindow
}

/**
 * Returns the decrypted packet, or undefined if it is forged, truncated or replayed. An MKI, before the tag, is
 * skipped: there is only one key.
 */
export function createSrtpReceiver(suite: Suite, master: Buffer, mkiBytes = 0) {
  const keys = deriveKeys(master, 'rtp')
  const stream = createKeyStream(keys.cipher, keys.salt)
  const hmac = createSha1Hmac(keys.auth)
  const tagBytes = TAG_BYTES[suite]
  const expected = Buffer.alloc(tagBytes)
  const streams = new Map<number, Incoming>()
  return {
    unprotect(bytes: Buffer): Buffer | undefined {
      const end = bytes.length - tagBytes - mkiBytes
      const start = end < 12 ? undefined : payloadStart(bytes)
      if (start === undefined || start > end) return undefined
      const ssrc = bytes.readUInt32BE(8)
      const known = streams.get(ssrc)
      const index = estimateIndex(known?.highest, bytes.readUInt16BE(2))
      if (index < 0 || known?.seen.has(index)) return undefined
      hmac.sign(bytes, end, Math.floor(index / 65_536), expected, tagBytes)
      if (!timingSafeEqual(expected, bytes.subarray(end + mkiBytes))) return undefined
      const incoming = known ?? { highest: index, seen: createIndexWindow() }
      if (!known) rememberStream(streams, ssrc, incoming)
      incoming.seen.take(index)
      incoming.highest = Math.max(incoming.highest, index)
      const packet = Buffer.from(bytes.subarray(0, end))
      stream.apply(packet, start, end, ssrc, index)
      return packet
    },
  }
}

/** The index nearest to the newest one (RFC 3711 §3.3.1). */
function estimateIndex(highest: number | undefined, sequence: number): number {
  if (highest === undefined) return sequence
  return highest + (((sequence - (highest & 0xffff)) << 16) >> 16)
}

export function rememberStream<T>(streams: Map<number, T>, ssrc: number, stream: T): void {
  if (streams.size >= STREAMS_MAX) streams.delete(streams.keys().next().value!)
  streams.set(ssrc, stream)
}
