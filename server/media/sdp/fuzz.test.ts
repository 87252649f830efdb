import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import { acceptAnswer, answerOffer, type LocalAudio, makeOffer } from './negotiate.ts'
import { parseSdp } from './parse.ts'
import { printSdp } from './print.ts'

const LOCAL: LocalAudio = {
  session: { id: '1', version: 1 },
  address: '192.0.2.9',
  port: 20_000,
  rtcpPort: 20_001,
  codecs: ['opus', 'pcma', 'pcmu'],
  direction: 'sendrecv',
  encryption: 'if_offered',
  keys: { AES_CM_128_HMAC_SHA1_80: Buffer.alloc(30), AES_CM_128_HMAC_SHA1_32: Buffer.alloc(30) },
  identity: {
    ufrag: 'abcd',
    pwd: 'p'.repeat(22),
    fingerprint: { hash: 'sha-256', value: 'AA' },
    ssrc: 1,
    candidates: [{ address: '192.0.2.9', port: 20_000 }],
  },
}

/** Building blocks, so that random descriptions resemble real ones. */
const PIECES = [
  'v=0',
  'o=- 1 1 IN IP4 1.2.3.4',
  's=-',
  'c=IN IP4 1.2.3.4',
  'c=IN IP6 ::1',
  'c=IN IP4 0.0.0.0/127',
  't=0 0',
  'm=audio 4000 RTP/AVP 0 8 101',
  'm=audio 4000 RTP/SAVP 8 999 x',
  'm=audio 9 UDP/TLS/RTP/SAVPF 8',
  'm=video 0 RTP/AVP',
  'a=rtpmap:101 telephone-event/8000',
  'a=rtpmap:8 opus/48000/2',
  'a=fmtp:8 maxaveragebitrate=20000; cbr=1',
  'a=rtpmap:101 telephone-event/48000',
  'a=rtpmap:',
  'a=rtcp:53020 IN IP4 126.16.64.4',
  'a=rtcp-mux',
  'a=mid:0',
  'a=group:BUNDLE 0',
  'a=sendonly',
  'a=setup:active',
  'a=ice-ufrag:abcd',
  `a=ice-pwd:${'x'.repeat(22)}`,
  `a=fingerprint:sha-256 ${Array(32).fill('aB').join(':')}`,
  `a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:${Buffer.alloc(30).toString('base64')}|2^20`,
]

const line = fc.oneof(
  { weight: 60, arbitrary: fc.constantFrom(...PIECES) },
  { weight: 1, arbitrary: fc.string() },
  { weight: 1, arbitrary: fc.string({ unit: 'binary' }).map((text) => `a=${text}`) },
  { weight: 1, arbitrary: fc.tuple(fc.constantFrom(...PIECES), fc.nat(60), fc.string()).map(spliced) },
)
const text = fc
  .array(line, { maxLength: 40 })
  .map((lines) => ['v=0', 'o=- 1 1 IN IP4 1.2.3.4', ...lines].join('\r\n'))

test('any offer gets a valid answer or a named refusal, and nothing throws', () => {
  let [answers, refusals] = [0, 0]
  fc.assert(
    fc.property(
      fc.oneof({ weight: 9, arbitrary: text }, { weight: 1, arbitrary: fc.string({ unit: 'binary' }) }),
      (text) => {
        const parsed = parseSdp(text)
        if (!parsed.ok) {
          expect(parsed.why).toMatch(/^(malformed|too_large)$/)
          return
        }
        acceptAnswer(makeOffer(LOCAL, 'rtp'), parsed.description)
        const answered = answerOffer(parsed.description, LOCAL)
        if (!answered.ok) {
          refusals++
          expect(answered.why).toMatch(/^[a-z_]+$/)
          return
        }
        answers++
        const again = parseSdp(printSdp(answered.answer))
        expect(again).toMatchObject({ ok: true })
        expect(again.ok && again.description.media.map(({ kind }) => kind)).toEqual(
          parsed.description.media.map(({ kind }) => kind),
        )
        expect(again.ok && again.description.media.filter(({ port }) => port !== 0)).toHaveLength(1)
      },
    ),
    { numRuns: 10_000, seed: 7 },
  )
  expect(answers).toBeGreaterThan(200)
  expect(refusals).toBeGreaterThan(200)
})

function spliced([piece, at, noise]: [string, number, string]): string {
  return piece.slice(0, at) + noise + piece.slice(at + 1)
}
