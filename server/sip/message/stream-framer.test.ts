import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import { SIP_LIMITS } from '../limits.ts'
import { type Frame, StreamFramer } from './stream-framer.ts'

const message = (body: string) =>
  `OPTIONS sip:a@h SIP/2.0\r\nl : ${Buffer.byteLength(body)}\r\nX: y\r\n\r\n${body}`

function described(frames: Frame[]): string[] {
  return frames.map((frame) => (frame.type === 'message' ? frame.bytes.toString() : frame.type))
}

test('messages are complete, wherever the stream is split', () => {
  const stream = [message('hello'), '\r\n\r\n', message(''), message('æ\r\n\r\nø')]
  const bytes = Buffer.from(stream.join(''))
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 60 })), (sizes) => {
      const framer = new StreamFramer()
      const found: string[] = []
      let at = 0
      for (const size of [...sizes, bytes.length]) {
        found.push(...described(framer.push(bytes.subarray(at, at + size))))
        at += size
      }
      expect(found.filter((frame) => frame !== 'ping' && frame !== 'pong')).toEqual(
        stream.filter((part) => part !== '\r\n\r\n'),
      )
    }),
  )
})

test('many pings at once count as one, so that only one is answered', () => {
  const framer = new StreamFramer()
  expect(described(framer.push(Buffer.from('\r\n\r\n'.repeat(16_384))))).toEqual(['ping'])
  expect(described(framer.push(Buffer.from('\r\n'.repeat(7))))).toEqual(['ping', 'pong'])
})

test('two line ends are a ping and one is a pong', () => {
  const framer = new StreamFramer()
  expect(described(framer.push(Buffer.from('\r\n\r\n')))).toEqual(['ping'])
  expect(described(framer.push(Buffer.from('\r\n')))).toEqual(['pong'])
})

test.each([
  ['a message without content-length', 'OPTIONS sip:a@h SIP/2.0\r\nX: y\r\n\r\n'],
  ['a body beyond the limit', `OPTIONS sip:a@h SIP/2.0\r\nl: ${SIP_LIMITS.messageBytesMax}\r\n\r\n`],
  ['headers without end', 'a'.repeat(SIP_LIMITS.messageBytesMax + 1)],
])('the stream cannot continue after %s', (_, text) => {
  const framer = new StreamFramer()
  expect(described(framer.push(Buffer.from(text)))).toEqual(['broken'])
  expect(framer.push(Buffer.from(message('')))).toEqual([])
})
