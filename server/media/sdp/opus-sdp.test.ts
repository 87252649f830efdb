import { describe, expect, test } from 'vitest'

import { acceptAnswer, answerOffer, type LocalAudio, makeOffer } from './negotiate.ts'
import { parseSdp } from './parse.ts'
import { printSdp } from './print.ts'

const LOCAL: LocalAudio = {
  session: { id: '7', version: 3 },
  address: '192.0.2.9',
  port: 20_000,
  rtcpPort: 20_001,
  codecs: ['opus', 'pcma', 'pcmu'],
  direction: 'sendrecv',
  keys: { AES_CM_128_HMAC_SHA1_80: Buffer.alloc(30), AES_CM_128_HMAC_SHA1_32: Buffer.alloc(30) },
  encryption: 'if_offered',
}
const CARRIER: LocalAudio = { ...LOCAL, codecs: ['pcma', 'pcmu'] }

const HEAD = ['v=0', 'o=- 1 1 IN IP4 198.51.100.7', 's=-', 'c=IN IP4 198.51.100.7', 't=0 0']
/** As a phone lists them, with the formats and telephone events of Chromium. */
const PHONE = [
  ...HEAD,
  'm=audio 4000 RTP/AVP 8 0 111 126 110',
  'a=rtpmap:111 opus/48000/2',
  'a=fmtp:111 minptime=10;useinbandfec=1',
  'a=rtpmap:126 telephone-event/8000',
  'a=rtpmap:110 telephone-event/48000',
]

describe('the examples of RFC 7587 §7.1', () => {
  test.each([
    ['without parameters', [], {}],
    [
      'at 16 kHz, in packets of 40 ms',
      [
        'a=fmtp:101 maxplaybackrate=16000; sprop-maxcapturerate=16000; maxaveragebitrate=20000; stereo=1; useinbandfec=1; usedtx=0',
        'a=ptime:40',
        'a=maxptime:40',
      ],
      { bitrateMax: 20_000, usesRedundancy: true },
    ],
    ['in stereo', ['a=fmtp:101 stereo=1; sprop-stereo=1'], {}],
  ])('%s are accepted', (_, lines, opus) => {
    const offer = [...HEAD, 'm=audio 54312 RTP/AVP 101', 'a=rtpmap:101 opus/48000/2', ...lines]
    const { answer, session } = answered(offer)
    expect(session.send).toEqual({ codec: 'opus', payloadType: 101, opus })
    expect(answer).toContain('\r\nm=audio 20000 RTP/AVP 101\r\n')
    expect(answer).toContain('\r\na=rtpmap:101 opus/48000/2\r\n')
    expect(answer).toContain('\r\na=fmtp:101 useinbandfec=1;maxaveragebitrate=32000\r\n')
  })
})

describe('an answer', () => {
  test('to a phone that talks to G.711 asks for telephone audio', () => {
    expect(answered(PHONE, { ...LOCAL, opusBand: 'narrow' }).answer).toContain(
      '\r\na=fmtp:111 useinbandfec=1;maxaveragebitrate=24000;maxplaybackrate=8000\r\n',
    )
  })

  test('prefers Opus, with the telephone events of its clock rate', () => {
    const { answer, session } = answered(PHONE)
    expect(answer).toContain('\r\nm=audio 20000 RTP/AVP 111 110\r\n')
    expect(answer).toContain('\r\na=rtpmap:110 telephone-event/48000\r\n')
    expect(session.send).toMatchObject({ codec: 'opus', events: { payloadType: 110, clockRate: 48_000 } })
    expect(session.receive.codecs).toEqual(new Map([[111, 'opus']]))
  })

  test('has telephone events at 8 kHz beside Opus if the phone has no others', () => {
    const { session } = answered(PHONE.filter((line) => !line.includes('110 telephone-event')))
    expect(session.send).toMatchObject({ codec: 'opus', events: { payloadType: 126, clockRate: 8_000 } })
  })

  test('to a carrier has G.711, also if it offers Opus', () => {
    expect(answered(PHONE, CARRIER).session.send).toEqual({
      codec: 'pcma',
      payloadType: 8,
      events: { payloadType: 126, clockRate: 8_000 },
    })
    const only = [...HEAD, 'm=audio 4000 RTP/AVP 111', 'a=rtpmap:111 opus/48000/2']
    expect(answer(only, CARRIER)).toEqual({ ok: false, why: 'no_codec' })
  })

  test.each([
    ['maxaveragebitrate=12000;cbr=1', { bitrateMax: 12_000, isBitrateConstant: true }],
    ['cbr=0; maxaveragebitrate=5', {}],
    ['maxaveragebitrate=many;;=;x', {}],
  ])('reads %s', (fmtp, opus) => {
    const offer = PHONE.map((line) => (line.startsWith('a=fmtp:111') ? `a=fmtp:111 ${fmtp}` : line))
    expect(answered(offer).session.send.opus).toEqual(opus)
  })
})

describe('an offer', () => {
  test('has Opus first, and telephone events of both clock rates', () => {
    const offer = printSdp(makeOffer(LOCAL, 'rtp'))
    expect(offer).toContain('\r\nm=audio 20000 RTP/AVP 111 8 0 110 101\r\n')
    expect(printSdp(makeOffer(CARRIER, 'rtp'))).not.toMatch(/opus|48000/)
  })

  test.each([
    ['Opus', LOCAL, { codec: 'opus', events: { payloadType: 110, clockRate: 48_000 } }],
    ['G.711', CARRIER, { codec: 'pcma', events: { payloadType: 101, clockRate: 8_000 } }],
  ])('is answered with %s', (_, theirs, send) => {
    const offer = makeOffer(LOCAL, 'rtp')
    const { answer } = answered(printSdp(offer).split('\r\n'), theirs)
    expect(acceptAnswer(offer, read(answer.split('\r\n')))).toMatchObject({ ok: true, session: { send } })
  })

  test('is not answered with what it did not have', () => {
    const theirs = [...HEAD, 'm=audio 4000 RTP/AVP 111', 'a=rtpmap:111 opus/48000/2']
    expect(acceptAnswer(makeOffer(CARRIER, 'rtp'), read(theirs))).toEqual({ ok: false, why: 'no_codec' })
  })

  test('made later keeps the payload types that were agreed on, and gives them to nothing else', () => {
    const offer = [
      ...HEAD,
      'm=audio 4000 RTP/AVP 101 111',
      'a=rtpmap:101 opus/48000/2',
      'a=rtpmap:111 telephone-event/48000',
    ]
    const first = answer(offer)
    if (!first.ok) throw new Error(first.why)
    const again = makeOffer(LOCAL, 'rtp', { description: first.answer, session: first.session })
    expect(again.media[0]!.formats).toEqual(['101', '8', '0', '111', '102'])
  })
})

function read(lines: string[]) {
  const parsed = parseSdp(lines.join('\r\n'))
  if (!parsed.ok) throw new Error(parsed.why)
  return parsed.description
}

const answer = (lines: string[], local = LOCAL) => answerOffer(read(lines), local)

function answered(lines: string[], local = LOCAL) {
  const result = answer(lines, local)
  if (!result.ok) throw new Error(result.why)
  return { session: result.session, answer: printSdp(result.answer) }
}
