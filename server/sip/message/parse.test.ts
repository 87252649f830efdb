import { expect, test } from 'vitest'

import { SIP_LIMITS } from '../limits.ts'
import { find, fromOf, readAddresses, toOf, topViaOf } from './fields.ts'
import type { SipRequest } from './message.ts'
import { parseMessage } from './parse.ts'
import { printMessage } from './print.ts'

const REQUIRED = [
  'Via: SIP/2.0/UDP [2001:db8::9]:5061;branch=z9hG4bKa;rport',
  'From: "Anna \\"A\\" Dahl" <sip:anna%20d@example.com>;tag=1',
  'To: <sip:bo@[2001:db8::1]:5070;transport=tcp>',
  'Call-ID: 1@x',
  'CSeq: 1 INVITE',
]

function invite(...more: string[]): Buffer {
  return Buffer.from(['INVITE sip:bo@example.com SIP/2.0', ...REQUIRED, ...more, '', ''].join('\r\n'))
}

function read(bytes: Buffer): SipRequest {
  const parsed = parseMessage(bytes)
  if (!parsed.ok || parsed.message.kind !== 'request') throw new Error('no request')
  return parsed.message
}

test('display names, escapes and IPv6 addresses are parsed and printed back', () => {
  const request = read(invite())
  expect(fromOf(request)).toMatchObject({
    name: 'Anna "A" Dahl',
    uri: { user: 'anna d', host: 'example.com' },
  })
  expect(toOf(request).uri).toMatchObject({ host: '[2001:db8::1]', port: 5070 })
  expect(topViaOf(request)).toMatchObject({ host: '[2001:db8::9]', port: 5061, transport: 'UDP' })
  expect(topViaOf(request).params).toEqual(new Map(Object.entries({ branch: 'z9hG4bKa', rport: '' })))
})

test('compact names, folded lines and comma-separated lists equal the long form', () => {
  const short = read(invite('k: 100rel,\r\n\ttimer', 'm: <sip:a@h;x=1,2>;q=0.5 ,\r\n "b, c" <sip:b@h>'))
  expect(short.headers.list('supported')).toEqual(['100rel', 'timer'])
  expect(find.contacts(short.headers)).toBeUndefined()
  const contacts = readAddresses(read(invite('m: <sip:a@h>;q=0.5 ,\r\n "b, c" <sip:b@h>')).headers, 'contact')
  expect(contacts?.map(({ name }) => name)).toEqual([undefined, 'b, c'])
})

test('bytes of a datagram beyond its content-length are not part of the body', () => {
  const bytes = Buffer.concat([invite('Content-Length: 4'), Buffer.from('bodyrest')])
  expect(read(bytes).body.toString()).toBe('body')
})

test('a body keeps its bytes, whatever they are', () => {
  const body = Buffer.from([0, 255, 13, 10, 13, 10, 128])
  const request = read(Buffer.concat([invite(`Content-Length: ${body.length}`), body]))
  expect(read(printMessage(request)).body).toEqual(body)
})

test('a message with too many header fields or bytes is refused', () => {
  const many = parseMessage(
    invite(...Array.from({ length: SIP_LIMITS.headerFieldsMax }, (_, n) => `X-${n}: 1`)),
  )
  expect(many).toMatchObject({ ok: false, status: 513 })
  expect(parseMessage(Buffer.alloc(SIP_LIMITS.messageBytesMax + 1, 'a'))).toMatchObject({
    ok: false,
    status: 513,
  })
})

test('a line feed without a carriage return cannot hide a header field', () => {
  expect(parseMessage(invite('Subject: a\nContact: <sip:evil@h>'))).toMatchObject({ ok: false, status: 400 })
})
