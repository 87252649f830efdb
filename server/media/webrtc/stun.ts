import { createHmac, timingSafeEqual } from 'node:crypto'
import { isIPv6 } from 'node:net'
import { crc32 } from 'node:zlib'

import type { RtpAddress } from '../sdp/remote-audio.ts'

/** The part of STUN (RFC 8489) that an ICE-lite side needs: it responds to checks, and sends none. */
export interface BindingRequest {
  bytes: Buffer
  /** The ufrags of the recipient and of the sender. */
  to: string
  from: string
  /** The sender has nominated this pair. */
  useCandidate: boolean
  /** The sender wants us to be controlling, which an ICE-lite side never is. */
  controlled: boolean
  integrityAt: number
}

const COOKIE = 0x2112a442
const HEADER_BYTES = 20
const BINDING = { request: 0x0001, success: 0x0101, error: 0x0111 }
const ATTRIBUTE = {
  username: 0x0006,
  integrity: 0x0008,
  error: 0x0009,
  mappedAddress: 0x0020,
  useCandidate: 0x0025,
  fingerprint: 0x8028,
  controlled: 0x8029,
}
const INTEGRITY_BYTES = 24
const FINGERPRINT_BYTES = 8
const FINGERPRINT_MASK = 0x5354554e

export const isStun = (bytes: Buffer): boolean =>
  bytes.length >= HEADER_BYTES && bytes[0]! < 4 && bytes.readUInt32BE(4) === COOKIE

export function readBindingRequest(bytes: Buffer): BindingRequest | undefined {
  if (!isStun(bytes) || bytes.readUInt16BE(0) !== BINDING.request) return undefined
  if (bytes.readUInt16BE(2) !== bytes.length - HEADER_BYTES) return undefined
  let user: string | undefined
  let integrityAt: number | undefined
  let [useCandidate, controlled] = [false, false]
  for (let at = HEADER_BYTES; at + 4 <= bytes.length;) {
    const [type, length] = [bytes.readUInt16BE(at), bytes.readUInt16BE(at + 2)]
    if (at + 4 + length > bytes.length) return undefined
    // Attributes after MESSAGE-INTEGRITY are not authenticated, so they are ignored.
    if (integrityAt === undefined) {
      if (type === ATTRIBUTE.username) user = bytes.toString('utf8', at + 4, at + 4 + length)
      if (type === ATTRIBUTE.integrity && length === INTEGRITY_BYTES - 4) integrityAt = at
      if (type === ATTRIBUTE.useCandidate) useCandidate = true
      if (type === ATTRIBUTE.controlled) controlled = true
    }
    at += 4 + Math.ceil(length / 4) * 4
  }
  const [to, from] = user?.split(':') ?? []
  if (!to || !from || integrityAt === undefined) return undefined
  return { bytes, to, from, useCandidate, controlled, integrityAt }
}

export function hasValidIntegrity({ bytes, integrityAt }: BindingRequest, password: string): boolean {
  const covered = Buffer.from(bytes.subarray(0, integrityAt))
  covered.writeUInt16BE(integrityAt - HEADER_BYTES + INTEGRITY_BYTES, 2)
  const expected = createHmac('sha1', password).update(covered).digest()
  return timingSafeEqual(expected, bytes.subarray(integrityAt + 4, integrityAt + INTEGRITY_BYTES))
}

export function bindingSuccess(request: BindingRequest, from: RtpAddress, password: string): Buffer {
  return sealed(BINDING.success, request, mappedAddress(request.bytes, from), password)
}

/** Role conflict (RFC 8445 §7.3.1.1): the sender must become controlling. */
export function roleConflict(request: BindingRequest, password: string): Buffer {
  const attribute = Buffer.from([0, ATTRIBUTE.error, 0, 4, 0, 0, 4, 87])
  return sealed(BINDING.error, request, attribute, password)
}

function sealed(type: number, request: BindingRequest, attribute: Buffer, password: string): Buffer {
  const end = HEADER_BYTES + attribute.length
  const bytes = Buffer.alloc(end + INTEGRITY_BYTES + FINGERPRINT_BYTES)
  request.bytes.copy(bytes, 0, 0, HEADER_BYTES)
  bytes.writeUInt16BE(type, 0)
  attribute.copy(bytes, HEADER_BYTES)
  // The length covers everything up to the end of the attribute being computed.
  bytes.writeUInt16BE(end - HEADER_BYTES + INTEGRITY_BYTES, 2)
  bytes.writeUInt16BE(ATTRIBUTE.integrity, end)
  bytes.writeUInt16BE(INTEGRITY_BYTES - 4, end + 2)
  createHmac('sha1', password)
    .update(bytes.subarray(0, end))
    .digest()
    .copy(bytes, end + 4)
  bytes.writeUInt16BE(bytes.length - HEADER_BYTES, 2)
  const at = end + INTEGRITY_BYTES
  bytes.writeUInt16BE(ATTRIBUTE.fingerprint, at)
  bytes.writeUInt16BE(4, at + 2)
  bytes.writeUInt32BE((crc32(bytes.subarray(0, at)) ^ FINGERPRINT_MASK) >>> 0, at + 4)
  return bytes
}

/** XOR-MAPPED-ADDRESS: the source of the request, XORed with the cookie and the transaction id. */
function mappedAddress(request: Buffer, { address, port }: RtpAddress): Buffer {
  const ip = isIPv6(address) ? ipv6Bytes(address) : Buffer.from(address.split('.').map(Number))
  const attribute = Buffer.alloc(8 + ip.length)
  attribute.writeUInt16BE(ATTRIBUTE.mappedAddress, 0)
  attribute.writeUInt16BE(4 + ip.length, 2)
  attribute[5] = ip.length === 16 ? 2 : 1
  attribute.writeUInt16BE(port ^ (COOKIE >>> 16), 6)
  ip.forEach((byte, i) => (attribute[8 + i] = byte ^ request[4 + i]!))
  return attribute
}

function ipv6Bytes(address: string): Buffer {
  const [head = '', tail] = address.replace(/%.*/, '').split('::')
  const [before, after] = [groups(head), groups(tail ?? '')]
  const all = [...before, ...Array<number>(8 - before.length - after.length).fill(0), ...after]
  const bytes = Buffer.alloc(16)
  all.forEach((group, i) => bytes.writeUInt16BE(group, i * 2))
  return bytes
}

const groups = (text: string) =>
  text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16))
