import type { Socket } from 'node:net'

import { beforeAll, beforeEach, describe, expect, test } from 'vitest'

import { type Harness, harness, type TestCompany } from '../../../test/harness/index.ts'
import {
  DEADLINE,
  IDENTIFIER,
  messagesOf,
  openCable,
  openSocket,
} from '../../../test/harness/peers/cable-socket.ts'
import { publishToCompany } from '../../live.ts'
import { LIVE_CHANNEL_LIMITS } from './limits.ts'

let bellhop: Harness
let company: TestCompany

beforeAll(async () => {
  bellhop = await harness()
})

beforeEach(async () => {
  company = await bellhop.newCompany()
})

const INVALID = { type: 'disconnect', reason: 'invalid_request', reconnect: false }

const metric = async (name: string) => {
  const text = await (await fetch(`${bellhop.url}/metrics`)).text()
  const line = text.split('\n').find((line) => line.startsWith(`${name} `))
  return Number(line?.split(' ')[1] ?? 0)
}
const openSockets = () => metric('bellhop_cable_sockets')
const dropped = (reason: string) => metric(`bellhop_cable_endings_total{reason="${reason}"}`)

/** A command of this many bytes. */
function withLength(length: number): string {
  const command = { command: 'message', identifier: IDENTIFIER, padding: '' }
  return JSON.stringify({ ...command, padding: 'x'.repeat(length - JSON.stringify(command).length) })
}

describe('a client that', () => {
  const malformed: [what: string, sent: string | Buffer][] = [
    ['is not JSON', '{'],
    ['is empty', ''],
    ['is not an object', '["subscribe"]'],
    ['is null', 'null'],
    ['has no command', JSON.stringify({ identifier: IDENTIFIER })],
    ['has no identifier', JSON.stringify({ command: 'subscribe' })],
    [
      'has an identifier that is not a string',
      '{"command":"subscribe","identifier":{"channel":"CallsChannel"}}',
    ],
    ['is binary', Buffer.from(JSON.stringify({ command: 'subscribe', identifier: IDENTIFIER }))],
  ]
  test.each(malformed)('sends what %s gets an error, and must not reconnect', async (_, sent) => {
    const cable = await openSocket(bellhop.url, company)
    await cable.frame({ type: 'welcome' })
    cable.socket.send(sent)
    expect(await cable.closed).toEqual({ code: 1008, reason: 'invalid_request' })
    expect(cable.frames.at(-1)).toEqual(INVALID)
  })

  test(`sends more than ${LIVE_CHANNEL_LIMITS.messageBytes} bytes at once is disconnected`, async () => {
    const cable = await openCable(bellhop.url, company)
    cable.send(withLength(LIVE_CHANNEL_LIMITS.messageBytes))
    await cable.subscribe('{"channel":"CallsChannel","still":"there"}')
    cable.send(withLength(LIVE_CHANNEL_LIMITS.messageBytes + 1))
    expect((await cable.closed).code).toBe(1009)
  })

  test.each(['messages', 'pings'])('sends too many %s gets an error', async (what) => {
    const cable = await openCable(bellhop.url, company)
    const send = () => (what === 'pings' ? cable.socket.ping() : cable.send({ command: 'x', identifier: '' }))
    // The subscription was the first, and another is the last one allowed.
    for (let count = 2; count < LIVE_CHANNEL_LIMITS.messagesPerWindow; count++) send()
    await cable.subscribe('{"channel":"CallsChannel","still":"there"}')
    bellhop.clock.advance(LIVE_CHANNEL_LIMITS.windowMs)
    for (let count = 1; count < LIVE_CHANNEL_LIMITS.messagesPerWindow; count++) send()
    await cable.subscribe('{"channel":"CallsChannel","even":"now"}')
    send()
    expect(await cable.closed).toEqual({ code: 1008, reason: 'invalid_request' })
    expect(cable.frames.at(-1)).toEqual(INVALID)
  })

  test('does not read is dropped before much is buffered for it, and the others receive everything', async () => {
    const before = await dropped('slow_reader')
    const slow = await openCable(bellhop.url, company)
    const good = await openCable(bellhop.url, company)
    const { _socket: wire } = slow.socket as unknown as { _socket: Socket }
    wire.pause()
    let told = 0
    // The sizes of the system's own buffers are unknown, so it may take many messages.
    while ((await dropped('slow_reader')) === before) {
      await bellhop.db.tx(async (tx) => {
        for (let count = 0; count < 100; count++, told++)
          await publishToCompany(tx, company.companyId, {
            type: 'sms_update',
            id: '0191e9a0-0000-7000-8000-000000000001',
            phone_number: String(told).padStart(2_000, '0'),
          })
      })
      await expect.poll(() => messagesOf(good).length, DEADLINE).toBe(told)
    }
    expect(await dropped('slow_reader')).toBe(before + 1)
    await expect.poll(openSockets, DEADLINE).toBe(1)
    wire.resume()
    expect((await slow.closed).code).toBe(1006)
    expect(messagesOf(slow).length).toBeLessThan(told)
  })

  test('vanished is dropped when it does not respond to a ping', async () => {
    const before = await dropped('no_answer')
    const gone = await openCable(bellhop.url, { ...company, autoPong: false })
    const here = await openCable(bellhop.url, company)
    const asked = new Promise((resolve) => gone.socket.once('ping', resolve))
    const half = LIVE_CHANNEL_LIMITS.pingMs * LIVE_CHANNEL_LIMITS.pingsBetweenProofs
    bellhop.clock.advance(half)
    await asked
    // A round trip, so that every pong has arrived.
    await here.subscribe('{"channel":"CallsChannel","after":"pong"}')
    bellhop.clock.advance(half)
    expect((await gone.closed).code).toBe(1006)
    expect(await dropped('no_answer')).toBe(before + 1)
    await here.subscribe('{"channel":"CallsChannel","still":"there"}')
  })
})

test('/metrics counts the open sockets', async () => {
  await expect.poll(openSockets, DEADLINE).toBe(0)
  const cables = [await openCable(bellhop.url, company), await openCable(bellhop.url, company)]
  const refused = await openSocket(bellhop.url)
  await refused.closed
  expect(await openSockets()).toBe(2)
  cables[0]!.socket.close()
  await expect.poll(openSockets, DEADLINE).toBe(1)
})
