import { describe, expect, test } from 'vitest'

import type { SessionDescription } from './description.ts'
import type { Direction } from './direction.ts'
import { acceptAnswer, answerOffer, type LocalAudio, makeOffer } from './negotiate.ts'
import { parseSdp } from './parse.ts'
import { printSdp } from './print.ts'

const FINGERPRINT = Array.from({ length: 32 }, (_, i) => (i + 16).toString(16).toUpperCase()).join(':')

const LOCAL: LocalAudio = {
  session: { id: '7', version: 3 },
  address: '192.0.2.9',
  port: 20_000,
  rtcpPort: 20_001,
  codecs: ['pcma', 'pcmu'],
  direction: 'sendrecv',
  keys: {
    AES_CM_128_HMAC_SHA1_80: Buffer.alloc(30, 1),
    AES_CM_128_HMAC_SHA1_32: Buffer.alloc(30, 2),
  },
  encryption: 'if_offered',
  identity: {
    ufrag: 'abcd',
    pwd: 'p'.repeat(22),
    fingerprint: { hash: 'sha-256', value: FINGERPRINT },
    ssrc: 99,
    candidates: [{ address: '192.0.2.9', port: 20_000 }],
  },
}

const HEAD = ['v=0', 'o=- 1 1 IN IP4 198.51.100.7', 's=-', 'c=IN IP4 198.51.100.7', 't=0 0']
const PHONE = [
  ...HEAD,
  'm=audio 4000 RTP/AVP 9 0 8 96',
  'a=rtpmap:9 G722/8000',
  'a=rtpmap:96 telephone-event/8000',
]
const KEY = Buffer.alloc(30, 5).toString('base64')
const BROWSER = [
  ...HEAD,
  'a=group:BUNDLE 0 1',
  'm=audio 9 UDP/TLS/RTP/SAVPF 111 0 8 110 126',
  'c=IN IP4 0.0.0.0',
  'a=rtpmap:111 opus/48000/2',
  'a=rtpmap:110 telephone-event/48000',
  'a=rtpmap:126 telephone-event/8000',
  'a=mid:0',
  'a=rtcp-mux',
  'a=setup:actpass',
  'a=ice-ufrag:Ab+/',
  `a=ice-pwd:${'w'.repeat(24)}`,
  `a=fingerprint:sha-256 ${FINGERPRINT.toLowerCase()}`,
  'm=video 9 UDP/TLS/RTP/SAVPF 96',
  'a=mid:1',
]

describe('an answer', () => {
  test('accepts our law and telephone events from the offer of a phone, and nothing else', () => {
    const { answer, session } = answered(PHONE)
    expect(printSdp(answer)).toBe(
      [
        'v=0',
        'o=- 7 3 IN IP4 192.0.2.9',
        's=-',
        'c=IN IP4 192.0.2.9',
        't=0 0',
        'm=audio 20000 RTP/AVP 8 96',
        'c=IN IP4 192.0.2.9',
        'a=rtpmap:8 PCMA/8000',
        'a=rtpmap:96 telephone-event/8000',
        'a=fmtp:96 0-15',
        'a=ptime:20',
        'a=sendrecv',
        'a=rtcp:20001',
        '',
      ].join('\r\n'),
    )
    expect(session).toMatchObject({
      transport: 'rtp',
      direction: 'sendrecv',
      send: { codec: 'pcma', payloadType: 8, events: { payloadType: 96, clockRate: 8_000 } },
      remote: {
        rtp: { address: '198.51.100.7', port: 4000 },
        rtcp: { address: '198.51.100.7', port: 4001 },
      },
    })
  })

  test('accepts the other law if ours is not offered, also with a dynamic payload type', () => {
    const lines = [...HEAD, 'm=audio 4000 RTP/AVP 97', 'a=rtpmap:97 pcmu/8000/1']
    expect(answered(lines).session.send).toEqual({ codec: 'pcmu', payloadType: 97 })
  })

  test.each<[theirs: Direction, ours: Direction, answer: Direction]>([
    ['sendrecv', 'sendrecv', 'sendrecv'],
    ['sendonly', 'sendrecv', 'recvonly'],
    ['recvonly', 'sendrecv', 'sendonly'],
    ['inactive', 'sendrecv', 'inactive'],
    ['sendrecv', 'sendonly', 'sendonly'],
    ['sendonly', 'sendonly', 'inactive'],
    ['recvonly', 'sendonly', 'sendonly'],
    ['sendrecv', 'inactive', 'inactive'],
    ['sendrecv', 'recvonly', 'recvonly'],
  ])('to %s, where we want %s, is %s', (theirs, ours, expected) => {
    const { answer, session } = answered([...PHONE, `a=${theirs}`], { ...LOCAL, direction: ours })
    expect(session.direction).toBe(expected)
    expect(answer.media[0]!.attributes).toContainEqual({ name: expected })
  })

  test('reads a session-level direction, and hold by the address 0.0.0.0', () => {
    expect(answered([...HEAD, 'a=sendonly', ...PHONE.slice(5)]).session.direction).toBe('recvonly')
    const held = PHONE.map((line) => (line.startsWith('c=') ? 'c=IN IP4 0.0.0.0' : line))
    expect(answered(held).session.direction).toBe('recvonly')
  })

  test('keeps refused lines in their places', () => {
    const lines = [...HEAD, 'm=video 5000 RTP/AVP 96 97', 'm=audio 4000 RTP/AVP 8', 'm=audio 6000 RTP/AVP 0']
    const { answer } = answered(lines)
    expect(answer.media.map(({ kind, port }) => [kind, port])).toEqual([
      ['video', 0],
      ['audio', 20_000],
      ['audio', 0],
    ])
  })

  test('accepts the first usable key by its tag, and has our own', () => {
    const { answer, session } = answered([
      ...HEAD,
      'm=audio 4000 RTP/SAVP 8',
      'a=crypto:1 AES_256_CM_HMAC_SHA1_80 inline:AAAA',
      `a=crypto:2 AES_CM_128_HMAC_SHA1_80 inline:${KEY}|2^20|1:129`,
      `a=crypto:3 AES_CM_128_HMAC_SHA1_80 inline:${KEY} UNENCRYPTED_SRTP`,
      `a=crypto:4 AES_CM_128_HMAC_SHA1_32 inline:${KEY}|2^31 WSH=64`,
      `a=crypto:5 AES_CM_128_HMAC_SHA1_80 inline:${KEY}`,
    ])
    expect(session).toMatchObject({
      transport: 'sdes',
      suite: 'AES_CM_128_HMAC_SHA1_32',
      remote: { crypto: { key: Buffer.alloc(30, 5) } },
    })
    const ours = Buffer.alloc(30, 2).toString('base64')
    expect(printSdp(answer)).toContain(`\r\na=crypto:4 AES_CM_128_HMAC_SHA1_32 inline:${ours}\r\n`)
  })

  test('accepts the first key of the example of RFC 4568 §7.1.4, which is in every packet by its identifier', () => {
    const { answer, session } = answered([
      'v=0',
      'o=sam 2890844526 2890842807 IN IP4 10.47.16.5',
      's=SRTP Discussion',
      'i=A discussion of Secure RTP',
      'u=http://www.example.com/seminars/srtp.pdf',
      'e=marge@example.com (Marge Simpson)',
      'c=IN IP4 168.2.17.12',
      't=2873397496 2873404696',
      'm=audio 49170 RTP/SAVP 0',
      'a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:WVNfX19zZW1jdGwgKCkgewkyMjA7fQp9CnVubGVz|2^20|1:4 FEC_ORDER=FEC_SRTP',
      'a=crypto:2 F8_128_HMAC_SHA1_80 inline:MTIzNDU2Nzg5QUJDREUwMTIzNDU2Nzg5QUJjZGVm|2^20|1:4;inline:QUJjZGVmMTIzNDU2Nzg5QUJDREUwMTIzNDU2Nzg5|2^20|2:4 FEC_ORDER=FEC_SRTP',
    ])
    const key = Buffer.from('WVNfX19zZW1jdGwgKCkgewkyMjA7fQp9CnVubGVz', 'base64')
    expect(session).toMatchObject({ transport: 'sdes', remote: { crypto: { tag: '1', key, mkiBytes: 4 } } })
    expect(printSdp(answer)).toMatch(/\r\na=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:[^ |]+\r\n/)
  })

  test.each([
    ['several keys', `inline:${KEY}|2^20|1:4;inline:${KEY}|2^20|2:4`],
    ['a key that changes with time', `inline:${KEY} KDR=1`],
    ['a lifetime that is none', `inline:${KEY}|long`],
  ])('refuses %s', (_, value) => {
    const offer = [...HEAD, 'm=audio 4000 RTP/SAVP 8', `a=crypto:1 AES_CM_128_HMAC_SHA1_80 ${value}`]
    expect(answer(offer)).toEqual({ ok: false, why: 'no_crypto' })
  })

  test('prefers the encrypted line, and takes the plain one if the keys are unusable', () => {
    const plain = 'm=audio 4002 RTP/AVP 8'
    const line = ['m=audio 4000 RTP/SAVP 8', `a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:${KEY}`]
    expect(answered([...HEAD, ...line, plain]).answer.media.map(({ port }) => port)).toEqual([20_000, 0])
    const useless = ['m=audio 4000 RTP/SAVP 8', 'a=crypto:1 F8_128_HMAC_SHA1_80 inline:AA']
    expect(answered([...HEAD, ...useless, plain]).answer.media.map(({ port }) => port)).toEqual([0, 20_000])
  })

  describe('to keys on a plain line', () => {
    const optional = [...HEAD, 'm=audio 4000 RTP/AVP 8', `a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:${KEY}`]

    test('is in kind', () => {
      const { answer, session } = answered(optional)
      expect(session).toMatchObject({ transport: 'sdes', remote: { crypto: { key: Buffer.alloc(30, 5) } } })
      expect(answer.media[0]!.protocol).toBe('RTP/AVP')
      expect(printSdp(answer)).toContain('\r\na=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:')
    })

    test('has no keys if others could read them', () => {
      const { answer, session } = answered(optional, { ...LOCAL, encryption: 'if_demanded' })
      expect(session).toMatchObject({ transport: 'rtp' })
      expect(session.remote).not.toHaveProperty('crypto')
      expect(printSdp(answer)).not.toContain('a=crypto')
    })

    test('is plain if the keys are unusable', () => {
      const unusable = optional.map((line) => line.replace('AES_CM_128', 'F8_128'))
      expect(answered(unusable).session).toMatchObject({ transport: 'rtp' })
    })
  })

  test('demands encryption where it is required', () => {
    const strict: LocalAudio = { ...LOCAL, encryption: 'required' }
    expect(answer(PHONE, strict)).toEqual({ ok: false, why: 'no_crypto' })
    const line = ['m=audio 4000 RTP/SAVP 8', `a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:${KEY}`]
    const { answer: chosen } = answered([...HEAD, 'm=audio 4002 RTP/AVP 8', ...line], strict)
    expect(chosen.media.map(({ port }) => port)).toEqual([0, 20_000])
  })

  test('to a browser is ICE-lite, passive, bundled, multiplexed, with events at 8 kHz', () => {
    const { answer, session } = answered(BROWSER)
    const text = printSdp(answer)
    for (const line of [
      'a=ice-lite',
      'a=group:BUNDLE 0',
      'm=audio 20000 UDP/TLS/RTP/SAVPF 8 126',
      'a=mid:0',
      'a=rtcp-mux',
      'a=setup:passive',
      'a=ice-ufrag:abcd',
      `a=fingerprint:sha-256 ${FINGERPRINT}`,
      'a=candidate:1 1 udp 2130706431 192.0.2.9 20000 typ host',
      'm=video 0 UDP/TLS/RTP/SAVPF 96',
    ]) {
      expect(text).toContain(`${line}\r\n`)
    }
    expect(session).toMatchObject({
      transport: 'webrtc',
      direction: 'sendrecv',
      send: { codec: 'pcma', payloadType: 8, events: { payloadType: 126, clockRate: 8_000 } },
      remote: { identity: { ufrag: 'Ab+/', fingerprint: { value: FINGERPRINT } } },
    })
  })

  test('has an IPv6 address if ours is one', () => {
    const { answer, session } = answered(
      ['v=0', 'o=- 1 1 IN IP6 2001:db8::1', 's=-', 'c=IN IP6 2001:db8::1', 'm=audio 4000 RTP/AVP 0'],
      { ...LOCAL, address: '2001:db8::9' },
    )
    expect(session.remote.rtp.address).toBe('2001:db8::1')
    expect(printSdp(answer)).toContain('c=IN IP6 2001:db8::9\r\n')
  })

  test.each([
    ['malformed', ['hello']],
    ['malformed', ['v=0', 'nonsense']],
    ['malformed', ['v=0', 's=-']],
    ['malformed', [...HEAD, 'm=audio 70000 RTP/AVP 8']],
    ['malformed', [...HEAD, 'm=audio']],
    ['too_large', [...HEAD, ...Array.from({ length: 1_000 }, () => 'a=x')]],
    ['too_large', [...HEAD, `a=${'x'.repeat(70_000)}`]],
    ['too_large', [...HEAD, ...Array.from({ length: 33 }, () => 'm=audio 4000 RTP/AVP 8')]],
    ['no_audio', HEAD],
    ['no_audio', [...HEAD, 'm=video 4000 RTP/AVP 8']],
    ['no_audio', [...HEAD, 'm=audio 0 RTP/AVP 8']],
    ['no_codec', [...HEAD, 'm=audio 4000 RTP/AVP 18 9']],
    ['no_codec', [...HEAD, 'm=audio 4000 RTP/AVP 8', 'a=rtpmap:8 G729/8000']],
    ['no_address', [...HEAD.filter((line) => !line.startsWith('c=')), 'm=audio 4000 RTP/AVP 8']],
    ['no_address', [...HEAD, 'm=audio 4000 RTP/AVP 8', 'c=IN IP4 phone.example']],
    ['protocol', [...HEAD, 'm=audio 4000 TCP/RTP/AVP 8']],
    ['no_crypto', [...HEAD, 'm=audio 4000 RTP/SAVP 8']],
    ['no_ice', without('a=ice-pwd')],
    ['no_fingerprint', without('a=fingerprint')],
    ['no_fingerprint', [...without('a=fingerprint').slice(0, -2), 'a=fingerprint:sha-1 AA:BB']],
    ['no_rtcp_mux', without('a=rtcp-mux')],
    ['setup_role', BROWSER.map((line) => line.replace('actpass', 'passive'))],
  ])('is refused as %s', (why, lines) => {
    expect(answer(lines)).toEqual({ ok: false, why })
  })
})

describe('an offer', () => {
  test.each([
    ['sdes', 'sdes'],
    ['rtp', 'rtp'],
  ] as const)('over %s is answered on a plain line with keys, and is %s', (transport, agreed) => {
    const theirs = [...HEAD, 'm=audio 4000 RTP/AVP 8', `a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:${KEY}`]
    const accepted = acceptAnswer(makeOffer(LOCAL, transport), read(theirs))
    expect(accepted).toMatchObject({ ok: true, session: { transport: agreed } })
  })

  test.each(['rtp', 'sdes', 'webrtc'] as const)('over %s can be answered by ourselves', (transport) => {
    const offer = makeOffer(LOCAL, transport)
    const theirs = { ...LOCAL, address: '203.0.113.5', port: 7000, codecs: ['pcmu', 'pcma'] as const }
    const answered = answerOffer(reread(offer), theirs)
    if (!answered.ok) throw new Error(answered.why)
    const accepted = acceptAnswer(offer, reread(answered.answer))
    if (transport === 'webrtc') {
      // Both of us would be DTLS servers.
      expect(accepted).toEqual({ ok: false, why: 'setup_role' })
      return
    }
    if (!accepted.ok) throw new Error(accepted.why)
    expect(accepted.session).toMatchObject({
      transport,
      direction: 'sendrecv',
      send: { codec: 'pcmu', payloadType: 0, events: { payloadType: 101, clockRate: 8_000 } },
      remote: { rtp: { address: '203.0.113.5', port: 7000 }, rtcpMux: true },
    })
    expect(accepted.session.receive.codecs).toEqual(
      new Map([
        [8, 'pcma'],
        [0, 'pcmu'],
      ]),
    )
  })

  test('to hold is answered with the reverse direction, and resumed by a later one', () => {
    const held = makeOffer({ ...LOCAL, direction: 'sendonly' }, 'rtp')
    const theirs = answerOffer(reread(held), LOCAL)
    if (!theirs.ok) throw new Error(theirs.why)
    expect(theirs.session.direction).toBe('recvonly')
    expect(acceptAnswer(held, reread(theirs.answer))).toMatchObject({ session: { direction: 'sendonly' } })
    expect(acceptAnswer(makeOffer(LOCAL, 'rtp'), reread(theirs.answer))).toMatchObject({
      session: { direction: 'sendonly' },
    })
  })

  test('made later keeps the order of lines, and the agreed payload types', () => {
    const first = answered([
      ...HEAD,
      'm=video 5000 RTP/AVP 96',
      'm=audio 4000 RTP/AVPF 8 97',
      'a=rtpmap:97 telephone-event/8000',
    ])
    const again = makeOffer(LOCAL, 'rtp', { description: first.answer, session: first.session })
    expect(again.media.map(({ kind, port, protocol }) => [kind, port, protocol])).toEqual([
      ['video', 0, 'RTP/AVP'],
      ['audio', 20_000, 'RTP/AVPF'],
    ])
    expect(again.media[1]!.formats).toEqual(['8', '0', '97'])
  })

  test.each([
    ['no_audio', [...HEAD, 'm=audio 0 RTP/AVP 8']],
    ['no_audio', HEAD],
    ['no_codec', [...HEAD, 'm=audio 4000 RTP/AVP 18']],
    ['protocol', [...HEAD, 'm=audio 4000 RTP/SAVP 8', `a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:${KEY}`]],
  ])('with an unusable answer is refused as %s', (why, lines) => {
    expect(acceptAnswer(makeOffer(LOCAL, 'rtp'), read(lines))).toEqual({ ok: false, why })
  })
})

function without(start: string): string[] {
  return BROWSER.filter((line) => !line.startsWith(start))
}

function answer(lines: string[], local = LOCAL) {
  const parsed = parseSdp(lines.join('\r\n') + '\r\n')
  return parsed.ok ? answerOffer(parsed.description, local) : parsed
}

function answered(lines: string[], local = LOCAL) {
  const result = answer(lines, local)
  if (!result.ok) throw new Error(result.why)
  return result
}

function read(lines: string[]): SessionDescription {
  const parsed = parseSdp(lines.join('\n'))
  if (!parsed.ok) throw new Error(parsed.why)
  return parsed.description
}

function reread(description: SessionDescription): SessionDescription {
  return read(printSdp(description).split('\r\n'))
}
