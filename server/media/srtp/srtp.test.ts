import { createHmac, randomBytes } from 'node:crypto'

import { describe, expect, test } from 'vitest'
import {
  ProtectionProfileAes128CmHmacSha1_80,
  RtpPacket as WeriftPacket,
  SrtcpSession,
  SrtpSession,
} from 'werift'

import { writeRtp } from '../rtp/packet.ts'
import { writeReport } from '../rtp/rtcp.ts'
import { SUITES } from '../sdp/sdes.ts'
import { createKeyStream } from './key-stream.ts'
import { deriveKeys } from './session-keys.ts'
import { createSha1Hmac } from './sha1-hmac.ts'
import { createSrtcpReceiver, createSrtcpSender } from './srtcp.ts'
import { createSrtpReceiver, createSrtpSender } from './srtp.ts'

const SUITE = 'AES_CM_128_HMAC_SHA1_80'
const hex = (text: string) => Buffer.from(text.replace(/\s/g, ''), 'hex')

describe('the parts of SRTP', () => {
  test('AES in counter mode gives the key stream of RFC 3711 appendix B.2', () => {
    const stream = createKeyStream(
      hex('2B7E151628AED2A6ABF7158809CF4F3C'),
      hex('F0F1F2F3F4F5F6F7F8F9FAFBFCFD'),
    )
    const zeros = Buffer.alloc(48)
    stream.apply(zeros, 0, 48, 0, 0)
    expect(zeros.toString('hex').toUpperCase()).toBe(
      'E03EAD0935C95E80E166B16DD92B4EB4D23513162B02D0F72A43A2FE4A5F97AB41E95B3BB0A2E8DD477901E4FCA894C0',
    )
  })

  test('keys are derived as in RFC 3711 appendix B.3', () => {
    const keys = deriveKeys(hex('E1F97A0D3E018BE0D64FA32C06DE4139 0EC675AD498AFEEBB6960B3AABE6'), 'rtp')
    expect(keys).toEqual({
      cipher: hex('C61E7A93744F39EE10734AFE3FF7A087'),
      salt: hex('30CBBC08863D8C85D49DB34A9AE1'),
      auth: hex('CEBE321F6FF7716B6FD4AB49AF256A156D38BAA4'),
    })
  })

  test('our HMAC-SHA1 equals another implementation for any length', () => {
    const key = randomBytes(20)
    const hmac = createSha1Hmac(key)
    for (let length = 0; length < 300; length++) {
      const bytes = randomBytes(length)
      const suffix = randomBytes(4)
      const tag = Buffer.alloc(20)
      hmac.sign(bytes, length, suffix.readUInt32BE(), tag, 20)
      expect(tag).toEqual(createHmac('sha1', key).update(bytes).update(suffix).digest())
    }
  })
})

describe('SRTP', () => {
  test('interoperates with another implementation in both directions, past the rollover', () => {
    const { ours, theirs, werift } = withWerift()
    const [sender, receiver] = [createSrtpSender(SUITE, ours), createSrtpReceiver(SUITE, theirs)]
    for (let index = 65_500; index < 65_600; index++) {
      const plain = packet(index)
      expect(werift.decrypt(sender.protect(plain, index))).toEqual(plain)
      const { header, payload } = WeriftPacket.deSerialize(plain)
      expect(receiver.unprotect(werift.encrypt(payload, header))).toEqual(plain)
    }
  })

  test.each(SUITES)('%s decrypts to the original in any order, and never twice', (suite) => {
    const key = randomBytes(30)
    const [sender, receiver] = [createSrtpSender(suite, key), createSrtpReceiver(suite, key)]
    const sealed = [0, 1, 2, 3, 4].map((index) => sender.protect(packet(index), index))
    expect(sealed[0]!.length).toBe(packet(0).length + (suite.endsWith('80') ? 10 : 4))
    for (const index of [0, 3, 1, 2]) expect(receiver.unprotect(sealed[index]!)).toEqual(packet(index))
    for (const index of [0, 1, 2, 3]) expect(receiver.unprotect(sealed[index]!)).toBeUndefined()
    expect(receiver.unprotect(sealed[4]!)).toEqual(packet(4))
  })

  test('a packet names its key before the tag, if that was agreed', () => {
    const key = randomBytes(30)
    const sealed = createSrtpSender(SUITE, key).protect(packet(1), 1)
    const named = withMki(sealed)
    expect(createSrtpReceiver(SUITE, key, 4).unprotect(named)).toEqual(packet(1))
    expect(createSrtpReceiver(SUITE, key).unprotect(named)).toBeUndefined()
    expect(createSrtpReceiver(SUITE, key, 4).unprotect(sealed)).toBeUndefined()
    expect(createSrtpReceiver(SUITE, key, 4).unprotect(named.subarray(0, 20))).toBeUndefined()
  })

  test('a forged or truncated packet is refused, and does not affect the genuine one', () => {
    const key = randomBytes(30)
    const receiver = createSrtpReceiver(SUITE, key)
    const sealed = createSrtpSender(SUITE, key).protect(packet(7), 7)
    for (let at = 0; at < sealed.length; at++) {
      const forged = Buffer.from(sealed)
      forged[at]! ^= 1
      expect(receiver.unprotect(forged)).toBeUndefined()
      expect(receiver.unprotect(sealed.subarray(0, at))).toBeUndefined()
    }
    expect(receiver.unprotect(sealed)).toEqual(packet(7))
  })

  test('a peer that keeps changing its SSRC is still decrypted', () => {
    const key = randomBytes(30)
    const [sender, receiver] = [createSrtpSender(SUITE, key), createSrtpReceiver(SUITE, key)]
    for (let ssrc = 1; ssrc < 50; ssrc++) {
      const plain = packet(1, ssrc)
      expect(receiver.unprotect(sender.protect(plain, 1))).toEqual(plain)
    }
  })
})

describe('SRTCP', () => {
  test('interoperates with another implementation', () => {
    const { ours, theirs, werift: _, config } = withWerift()
    const werift = new SrtcpSession(config)
    const [sender, receiver] = [createSrtcpSender(ours), createSrtcpReceiver(theirs)]
    for (let i = 0; i < 3; i++) {
      const report = writeReport(5 + i, undefined, [])
      expect(werift.decrypt(sender.protect(report))).toEqual(report)
      const sealed = werift.encrypt(report)
      expect(receiver.unprotect(sealed)).toEqual(report)
      expect(receiver.unprotect(sealed)).toBeUndefined()
    }
    expect(receiver.unprotect(randomBytes(60))).toBeUndefined()
    expect(receiver.unprotect(Buffer.alloc(3))).toBeUndefined()
  })

  test('a report names its key before the tag, if that was agreed', () => {
    const key = randomBytes(30)
    const report = writeReport(5, undefined, [])
    const sealed = createSrtcpSender(key).protect(report)
    expect(createSrtcpReceiver(key, 4).unprotect(withMki(sealed))).toEqual(report)
    expect(createSrtcpReceiver(key, 4).unprotect(sealed)).toBeUndefined()
  })
})

/** RFC 3711 §3.1: the MKI is between what is authenticated and the tag. */
function withMki(sealed: Buffer): Buffer {
  const tag = sealed.length - 10
  return Buffer.concat([sealed.subarray(0, tag), Buffer.from([0, 0, 0, 1]), sealed.subarray(tag)])
}

function withWerift() {
  const [ours, theirs] = [randomBytes(30), randomBytes(30)]
  const config = {
    profile: ProtectionProfileAes128CmHmacSha1_80,
    keys: {
      localMasterKey: theirs.subarray(0, 16),
      localMasterSalt: theirs.subarray(16),
      remoteMasterKey: ours.subarray(0, 16),
      remoteMasterSalt: ours.subarray(16),
    },
  }
  return { ours, theirs, config, werift: new SrtpSession(config) }
}

function packet(index: number, ssrc = 0xcafe): Buffer {
  const payload = Buffer.alloc(160, index)
  return writeRtp(8, false, index & 0xffff, index * 160, ssrc, payload)
}
