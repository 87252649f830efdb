import { expect, test } from 'vitest'

import { createTestClock } from '../../../test/harness/test-clock.ts'
import { usedMemory } from '../../../test/harness/used-memory.ts'
import { SIP_LIMITS } from '../limits.ts'
import type { Flow } from '../transport/flow.ts'
import { MessageTrace } from './message-trace.ts'
import { redactMessage } from './redact.ts'

const flow = { protocol: 'udp', remote: { address: '192.0.2.1', port: 5060 } } as Flow

const message = (callId: string, more = '', method = 'INVITE') =>
  Buffer.from(`${method} sip:a@b SIP/2.0\r\nCall-ID: ${callId}\r\nCSeq: 1 ${method}\r\n${more}\r\n`)

test('passwords, digests, keys and digits are removed, whatever the spelling', () => {
  const kept = redactMessage(
    [
      'INVITE sip:anna:pw-of-uri@example.com SIP/2.0',
      'authorization : Digest username="anna",',
      '  response="digest-1"',
      'Proxy-Authorization: Digest response="digest-2"',
      'WWW-Authenticate: Digest nonce="nonce-1"',
      'PROXY-AUTHENTICATE: Digest nonce="nonce-2"',
      'Authentication-Info: rspauth="digest-3"',
      'Subject: hello',
      '',
      'a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:srtp-key|2^20',
      'a=ice-pwd:ice-key',
      'k=clear:old-key',
      'Signal=5',
      'a=sendrecv',
    ].join('\r\n'),
  )
  expect(kept).not.toMatch(/pw-of-uri|digest-|nonce-|key\||ice-key|old-key|Signal=5/)
  expect(kept).toContain('Subject: hello\r\n')
  expect(kept).toContain('a=crypto:1 AES_CM_128_HMAC_SHA1_80 [removed]\r\n')
  expect(kept).toContain('a=sendrecv')
})

test('a digit as the whole body of an INFO is removed', () => {
  const kept = redactMessage(
    'INFO sip:a SIP/2.0\r\nContent-Type: application/dtmf\r\nContent-Length: 1\r\n\r\n7',
  )
  expect(kept).toBe(
    'INFO sip:a SIP/2.0\r\nContent-Type: application/dtmf\r\nContent-Length: 1\r\n\r\n[removed]',
  )
})

test('the messages of a call are found by its id and by its Call-IDs, in order', () => {
  const clock = createTestClock()
  const trace = new MessageTrace(clock)
  trace.received(message('from-carrier'), flow)
  trace.identified('from-carrier')
  clock.advance(5)
  trace.sent(message('to-phone'), flow)
  trace.link('call', 'from-carrier')
  trace.link('call', 'to-phone')
  clock.advance(5)
  trace.sent(Buffer.from('SIP/2.0 200 OK\r\ni: from-carrier\r\nCSeq: 1 INVITE\r\n\r\n'), flow)
  const read = trace.read({ callId: 'call' })
  expect(read.map(({ sipCallId, direction }) => [sipCallId, direction])).toEqual([
    ['from-carrier', 'in'],
    ['to-phone', 'out'],
    ['from-carrier', 'out'],
  ])
  expect(trace.read({ sipCallId: 'to-phone' })).toHaveLength(1)
  expect(read[0]).toMatchObject({ peer: 'udp:192.0.2.1:5060' })
})

test('what is removed from a message does not stay in memory', () => {
  const trace = new MessageTrace(createTestClock())
  const digest = 'd'.repeat(SIP_LIMITS.traceMessageBytesMax / 2)
  const many = 1_000
  let received = 0
  const receive = (count: number) => {
    for (const last = received + count; received < last; received++) {
      const callId = `of-the-usual-length-${received}`
      trace.received(message(callId, `Authorization: Digest response="${digest}"\r\n`), flow)
      trace.link('call', callId)
    }
  }
  // What V8 compiles and keeps once is no part of the difference.
  receive(1)
  const usedBefore = usedMemory()
  receive(many)
  expect(usedMemory() - usedBefore).toBeLessThan((many * digest.length) / 4)
  expect(trace.read({ callId: 'call' })).toHaveLength(1 + many)
})

test('registrations and probes are not kept', () => {
  const trace = new MessageTrace(createTestClock())
  for (const method of ['REGISTER', 'OPTIONS']) trace.sent(message('x', '', method), flow)
  expect(trace.read({ sipCallId: 'x' })).toEqual([])
})

test('unknown callers cannot push out the messages of calls', () => {
  const trace = new MessageTrace(createTestClock())
  trace.sent(message('ours'), flow)
  for (let flood = 0; flood < SIP_LIMITS.traceUnknownDialogsMax * 3; flood++)
    trace.received(message(`flood-${flood}`), flow)
  expect(trace.read({ sipCallId: 'ours' })).toHaveLength(1)
  expect(trace.read({ sipCallId: 'flood-0' })).toEqual([])
})

test('a long message is cut, a long call keeps its beginning, and old calls make room for new ones', () => {
  const trace = new MessageTrace(createTestClock())
  const long = `Subject: ${'x'.repeat(SIP_LIMITS.traceMessageBytesMax)}\r\n`
  trace.sent(message('long', long), flow)
  expect(trace.read({ sipCallId: 'long' })[0]!.text.length).toBeLessThan(SIP_LIMITS.traceMessageBytesMax + 20)
  for (let each = 0; each < 300; each++) trace.sent(message('chatty'), flow)
  expect(trace.read({ sipCallId: 'chatty' })).toHaveLength(SIP_LIMITS.traceMessagesPerDialogMax)
  trace.link('call', 'long')
  for (let each = 0; each < SIP_LIMITS.traceBytesMax / SIP_LIMITS.traceMessageBytesMax + 1; each++)
    trace.sent(message(`later-${each}`, long), flow)
  expect(trace.read({ callId: 'call' })).toEqual([])
})
