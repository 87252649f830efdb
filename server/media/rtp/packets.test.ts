import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { RtcpPacketConverter, RtcpRrPacket, RtcpSrPacket, RtpPacket as WeriftPacket } from 'werift'

import type { Digit } from '../audio/dtmf.ts'
import { parseRtp, type RtpPacket, writeRtp } from './packet.ts'
import { createReception } from './reception.ts'
import { compactNtp, readRtcp, writeBye, writeReport } from './rtcp.ts'
import { createEventReceiver, digitPackets } from './telephone-event.ts'

const PACKET: RtpPacket = {
  payloadType: 101,
  marker: true,
  sequence: 65_535,
  timestamp: 4_294_967_295,
  ssrc: 4_000_000_000,
  payload: Buffer.from('sound'),
}

describe('RTP', () => {
  test('interoperates with another implementation in both directions', () => {
    const { header, payload } = WeriftPacket.deSerialize(written(PACKET))
    expect(payload).toEqual(PACKET.payload)
    expect(header).toMatchObject({
      payloadType: 101,
      marker: true,
      sequenceNumber: 65_535,
      timestamp: 4_294_967_295,
      ssrc: 4_000_000_000,
    })
    header.csrc = [1, 2]
    header.csrcLength = 2
    expect(parseRtp(new WeriftPacket(header, payload).serialize())).toMatchObject(PACKET)
  })

  test('is parsed with an extension and padding, and sent on with another header without them', () => {
    const bytes = Buffer.concat([
      written({ ...PACKET, payload: Buffer.from([0xbe, 0xde, 0, 1, 1, 2, 3, 4]) }),
      Buffer.from('sound\0\0\x03'),
    ])
    bytes[0]! |= 0x30
    const packet = parseRtp(bytes)!
    expect(packet.payload.toString()).toBe('sound')
    expect(packet.payloadBytes).toBe(5)
    const sent = WeriftPacket.deSerialize(packet.withHeader(8, false, 7, 8, 9))
    expect(sent.payload.toString()).toBe('sound')
    expect(sent.header).toMatchObject({
      payloadType: 8,
      marker: false,
      sequenceNumber: 7,
      timestamp: 8,
      ssrc: 9,
      padding: false,
      extension: false,
      csrcLength: 0,
    })
  })

  test('and RTCP parsers never throw', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.integer({ min: 0, max: 255 }), (noise, first) => {
        const bytes = Buffer.from([first, ...noise])
        const packet = parseRtp(bytes)
        if (packet) expect(packet.payload.length).toBeLessThan(bytes.length)
        readRtcp(bytes)
      }),
      { numRuns: 5_000, seed: 3 },
    )
  })
})

describe('RTCP', () => {
  const reception = createReception({ ...PACKET, sequence: 65_534, timestamp: 0 })
  // Ten packets across the wrap, two of them lost, each 5 ms later than the one before.
  for (const i of [0, 1, 2, 4, 5, 6, 8, 9]) {
    const packet = { ...PACKET, sequence: (65_534 + i) & 0xffff, timestamp: i * 160 }
    reception.count(packet, i * 25, 8_000)
  }
  const block = { ...reception.report(), lastReport: 77, sinceLastReport: 88 }

  test('counts loss and jitter', () => {
    expect(block).toMatchObject({ lost: 2, fractionLost: 51, highestSequence: 65_536 + 7 })
    expect(reception.jitterMs()).toBeGreaterThan(1)
    expect(reception.report()).toMatchObject({ lost: 2, fractionLost: 0 })
  })

  test('is readable by another implementation, and by us', () => {
    const sent = { atMs: 1_800_000_000_500, timestamp: 5, packets: 6, bytes: 7 }
    const bytes = writeReport(9, sent, [block])
    const [report] = RtcpPacketConverter.deSerialize(bytes)
    expect(report).toBeInstanceOf(RtcpSrPacket)
    const { ssrc, senderInfo, reports } = report as RtcpSrPacket
    expect(ssrc).toBe(9)
    expect(senderInfo).toMatchObject({ rtpTimestamp: 5, packetCount: 6, octetCount: 7 })
    expect(senderInfo.ntpTimestamp >> 32n).toBe(1_800_000_000n + 2_208_988_800n)
    expect(reports[0]).toMatchObject({
      ssrc: PACKET.ssrc,
      fractionLost: 51,
      packetsLost: 2,
      highestSequence: 65_543,
      lsr: 77,
      dlsr: 88,
    })
    expect(readRtcp(bytes)).toEqual({ senderTime: compactNtp(sent.atMs), about: [block], bye: false })
    expect(RtcpPacketConverter.deSerialize(writeReport(9, undefined, []))[0]).toBeInstanceOf(RtcpRrPacket)
    expect(readRtcp(writeBye(9))).toMatchObject({ bye: true })
  })
})

describe('telephone events', () => {
  test('each press is reported once, also of the same digit, and when most of its packets are lost', () => {
    const receiver = createEventReceiver()
    let heard = ''
    let timestamp = 0
    for (const digit of '1199#*D'.split('') as Digit[]) {
      timestamp += 1_760
      const packets = [...digitPackets(digit, 8_000)].filter((packet) => packet !== undefined)
      for (const lost of [packets.slice(0, 2), packets.slice(-1)][timestamp % 2]!)
        packets.splice(packets.indexOf(lost), 1)
      for (const { payload } of packets) heard += receiver.push({ ...PACKET, timestamp, payload }) ?? ''
    }
    expect(heard).toBe('1199#*D')
  })

  test('a press grows, ends three times, and is followed by a pause', () => {
    const packets = [...digitPackets('5', 8_000)]
    expect(
      packets.map((packet) => packet && [packet.payload[1]! >> 7, packet.payload.readUInt16BE(2)]),
    ).toEqual([
      ...[160, 320, 480, 640, 800].map((duration) => [0, duration]),
      ...[1, 1, 1].map(() => [1, 800]),
      undefined,
      undefined,
      undefined,
    ])
    expect(packets.map((packet) => packet?.marker)).toEqual([
      true,
      ...Array.from({ length: 7 }, () => false),
      ...Array.from({ length: 3 }, () => undefined),
    ])
  })

  test('other events are not digits', () => {
    const flash = { ...PACKET, payload: Buffer.from([16, 0x80, 0, 160]) }
    expect(createEventReceiver().push(flash)).toBeUndefined()
    expect(createEventReceiver().push({ ...PACKET, payload: Buffer.from([1]) })).toBeUndefined()
  })
})

function written({ payloadType, marker, sequence, timestamp, ssrc, payload }: RtpPacket): Buffer {
  return writeRtp(payloadType, marker, sequence, timestamp, ssrc, payload)
}
