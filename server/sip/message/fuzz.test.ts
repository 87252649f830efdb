import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import { packageRoot } from '../../platform/package-root.ts'
import { SIP_LIMITS } from '../limits.ts'
import { find, fromOf, readAddresses, toOf, topViaOf } from './fields.ts'
import { parseMessage } from './parse.ts'
import { printMessage } from './print.ts'
import { StreamFramer } from './stream-framer.ts'

const FOLDER = join(packageRoot, 'test/sip/torture')
const SEEDS = readdirSync(FOLDER).map((name) => readFileSync(join(FOLDER, name)))

/** Bytes with a meaning in the grammar, more often than chance alone would produce them. */
const meaningful = fc.constantFrom(...Buffer.from('\r\n\t "<>;:,=%@[]\\*?/\0'))
const byte = fc.oneof(meaningful, fc.integer({ min: 0, max: 255 }))

/** A torture message, cut up, doubled and overwritten. */
const mutated = fc
  .record({
    seed: fc.constantFrom(...SEEDS),
    other: fc.constantFrom(...SEEDS),
    cut: fc.double({ min: 0, max: 1, noNaN: true }),
    writes: fc.array(fc.record({ at: fc.double({ min: 0, max: 1, noNaN: true }), byte }), { maxLength: 12 }),
  })
  .map(({ seed, other, cut, writes }) => {
    const bytes = Buffer.concat([seed.subarray(0, seed.length * cut), other.subarray(other.length * cut)])
    for (const write of writes)
      if (bytes.length > 0) bytes[Math.floor(write.at * (bytes.length - 1))] = write.byte
    return bytes
  })

const noise = fc.array(byte, { maxLength: 2_000 }).map((bytes) => Buffer.from(bytes))

/** Reads everything in a message. Throws only if the parser accepted what it should not. */
function readAll(bytes: Buffer): void {
  const parsed = parseMessage(bytes)
  if (!parsed.ok) {
    if (parsed.request) printMessage(parsed.request)
    return
  }
  const { message } = parsed
  fromOf(message)
  toOf(message)
  topViaOf(message)
  find.contacts(message.headers)
  readAddresses(message.headers, 'route')
  const again = parseMessage(printMessage(message))
  expect(again.ok || again.why).toBe(true)
}

test('reading any datagram never throws, and a valid message stays valid when printed', () => {
  fc.assert(
    fc.property(fc.oneof({ arbitrary: mutated, weight: 4 }, noise), (bytes) => readAll(bytes)),
    { numRuns: 20_000 },
  )
})

test('no line of the longest message makes reading slow', () => {
  const room = SIP_LIMITS.messageBytesMax - 1_000
  const awkward = ['"', '\\"', '<', ' ', ',', ';', ';a', '=', '%', '\t,', '(', '[', ':', 'a ', '/ ', '\r\n ']
  const start = process.cpuUsage()
  for (const piece of awkward) {
    const long = piece.repeat(room / piece.length)
    for (const name of ['Via: SIP/2.0/UDP h', 'From: ', 'Contact: ', 'CSeq: 1 ', 'Content-Length: ', 'l:']) {
      readAll(Buffer.from(`INVITE sip:a@h SIP/2.0\r\n${name}${long}\r\nTo: <sip:a@h>\r\n\r\n`))
    }
    readAll(Buffer.from(`INVITE sip:${long}@h SIP/2.0\r\n\r\n`))
    readAll(Buffer.from(`SIP/2.0 200${long}\r\n\r\n`))
    readAll(Buffer.from(`INVITE ${long} SIP/2.0\r\n\r\n`))
  }
  // Well below a second of CPU time; a pattern with catastrophic backtracking took twelve.
  expect(process.cpuUsage(start).user / 1e6).toBeLessThan(5)
})

test('a stream of arbitrary bytes keeps at most one message in memory', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(mutated, noise), { maxLength: 30 }), (chunks) => {
      const framer = new StreamFramer()
      for (const chunk of chunks) {
        for (const frame of framer.push(chunk)) {
          if (frame.type === 'message')
            expect(frame.bytes.length).toBeLessThanOrEqual(SIP_LIMITS.messageBytesMax)
        }
      }
    }),
    { numRuns: 2_000 },
  )
})
