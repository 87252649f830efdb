import { createSocket } from 'node:dgram'
import { once } from 'node:events'

import { afterEach, describe, expect, test } from 'vitest'

import { ANNA, follow, loopbackTrunk, sdp, startAgent } from '../../../test/harness/sip/agent.ts'
import { silentPort } from '../../../test/harness/sip/silent-port.ts'
import { type TestClock, createTestClock } from '../../../test/harness/test-clock.ts'
import { SIP_LIMITS } from '../limits.ts'
import { formatNumber, type NumberFormat, parseNumber } from './number-format.ts'

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close()
})

async function openAgent(...options: Parameters<typeof startAgent>) {
  const started = await startAgent(...options)
  closers.push(() => started.agent.close())
  return started
}

async function silence(): Promise<number> {
  const silent = await silentPort()
  closers.push(silent.close)
  return silent.port
}

const target = { to: 'trunk', trunk: 'carrier', number: '+4570000000' } as const
const anyone = [loopbackTrunk('anyone', 5060)]

test('a call tries the second host of a carrier when the first does not respond', async () => {
  const clock = createTestClock()
  const far = await openAgent({ trunks: anyone })
  const hosts = [await silence(), far.ports.udp].map((port) => ({ host: '127.0.0.1', port }))
  const near = await openAgent({ clock, trunks: [loopbackTrunk('carrier', 0, { hosts })] })
  const { next } = follow(near.agent.invite(target, { from: ANNA, body: sdp() }))
  // Lets the host be resolved and the INVITE sent.
  await new Promise<void>((resolve) => setImmediate(resolve))
  clock.advance(SIP_LIMITS.firstAnswerMs)
  const call = await far.calls.take()
  call.accept(sdp())
  await next('answered')
})

test('a call tries the second host when the first is out of service, but not when the callee is busy', async () => {
  const first = await openAgent({ trunks: anyone, onInvite: (call) => call.reject(503) })
  const second = await openAgent({ trunks: anyone, onInvite: (call) => call.reject(486) })
  const third = await openAgent({ trunks: anyone })
  const hosts = [first, second, third].map(({ ports }) => ({ host: '127.0.0.1', port: ports.udp }))
  const near = await openAgent({ trunks: [loopbackTrunk('carrier', 0, { hosts })] })
  const { next } = follow(near.agent.invite(target, { from: ANNA, body: sdp() }))
  expect((await next('ended')).ending).toMatchObject({ why: 'refused', status: 486 })
  expect(third.calls.waiting).toEqual([])
})

test('a host that does not respond to probes is down and tried last, until it responds again', async () => {
  const clock = createTestClock()
  const [moody, second] = [await moodyHost(), await openAgent({ trunks: anyone })]
  const hosts = [moody.port, second.ports.udp].map((port) => ({ host: '127.0.0.1', port }))
  const near = await openAgent({ clock, trunks: [loopbackTrunk('carrier', 0, { hosts, probed: true })] })
  const host = `127.0.0.1:${moody.port}`
  const invite = () => near.agent.invite(target, { from: ANNA, body: sdp() })
  const passTimeUntil = async (isUp: boolean) => {
    const stopMoving = keepMoving(clock)
    expect(await near.trunkChanges.take()).toEqual({ trunk: 'carrier', host, isUp })
    stopMoving()
  }
  await passTimeUntil(false)
  // The clock stands still, so nothing times out.
  const { next } = follow(invite())
  ;(await second.calls.take()).reject(486)
  expect((await next('ended')).ending).toMatchObject({ status: 486 })
  expect(moody.methods).not.toContain('INVITE')

  moody.answers()
  await passTimeUntil(true)
  await follow(invite()).next('ended')
  expect(moody.methods).toContain('INVITE')
  expect(second.calls.waiting).toEqual([])
})

/** A host that is silent at first, and later responds to probes with 200 and refuses calls. */
async function moodyHost() {
  const socket = createSocket('udp4').bind(0, '127.0.0.1')
  await once(socket, 'listening')
  closers.push(() => socket.close())
  const methods: string[] = []
  let isMute = true
  socket.on('message', (bytes, { port, address }) => {
    const [method] = String(bytes).split(' ')
    methods.push(method!)
    if (isMute || method === 'ACK') return
    const status = method === 'OPTIONS' ? '200 OK' : '486 Busy Here'
    socket.send(String(bytes).replace(/^.*/, `SIP/2.0 ${status}`), port, address)
  })
  return { port: socket.address().port, methods, answers: () => (isMute = false) }
}

test('we register at a carrier that requires it, refresh in time and deregister at the end', async () => {
  const clock = createTestClock()
  const carrier = await openAgent({ clock, passwords: { customer: 'secret' } })
  const near = await openAgent({
    clock,
    trunks: [
      loopbackTrunk('carrier', carrier.ports.udp, {
        credentials: { username: 'customer', password: 'secret' },
        registration: { user: 'customer', domain: 'carrier.test', seconds: 300 },
      }),
    ],
  })
  expect((await carrier.registrations.take()).change).toBe('added')
  await near.trunkChanges.take(isRegistered)
  clock.advance(240_000)
  expect((await carrier.registrations.take()).change).toBe('refreshed')
  await near.trunkChanges.take(isRegistered)
  await near.agent.close()
  expect((await carrier.registrations.take()).change).toBe('removed')
})

test('a carrier without a trusted address authenticates its calls with a password', async () => {
  const credentials = { username: 'simulator', password: 'secret' }
  const far = await openAgent({
    trunks: [loopbackTrunk('simulated', 5060, { addresses: [], inbound: credentials })],
  })
  const near = await openAgent({ trunks: [loopbackTrunk('carrier', far.ports.udp, { credentials })] })
  near.agent.invite(target, { from: ANNA, body: sdp() })
  expect((await far.calls.take()).peer).toEqual({ kind: 'trunk', trunk: 'simulated' })
})

test('an unknown source is refused with growing delays, and ignored after too many wrong passwords', async () => {
  const clock = createTestClock()
  const far = await openAgent({ clock, passwords: { phone: 'open-sesame' } })
  const near = await openAgent()
  const statuses: (number | undefined)[] = []
  let waitedMs = 0
  for (let guess = 0; guess < SIP_LIMITS.guessesUntilBlocked; guess++) {
    near.agent.setTrunks([
      loopbackTrunk('carrier', far.ports.udp, {
        credentials: { username: 'phone', password: `guess ${guess}` },
      }),
    ])
    const { next } = follow(near.agent.invite(target, { from: ANNA, body: sdp() }))
    const ended = next('ended')
    // The response to a wrong password is delayed; the clock advances until it arrives.
    const askedAt = clock.now().getTime()
    const stopMoving = keepMoving(clock)
    const { ending } = await ended
    stopMoving()
    waitedMs = clock.now().getTime() - askedAt
    statuses.push(ending.why === 'refused' ? ending.status : undefined)
  }
  expect(new Set(statuses)).toEqual(new Set([401]))
  expect(waitedMs).toBeGreaterThanOrEqual(SIP_LIMITS.guessDelayMsMax)
  expect(far.calls.waiting).toEqual([])
  const socket = createSocket('udp4').bind(0, '127.0.0.1')
  closers.push(() => socket.close())
  await once(socket, 'listening')
  const received: string[] = []
  socket.on('message', (bytes) => received.push(String(bytes)))
  const send = (port: number) =>
    socket.send(
      'OPTIONS sip:h SIP/2.0\r\nVia: SIP/2.0/UDP h;rport;branch=z9hG4bK1\r\nFrom: <sip:a@h>;tag=1\r\n' +
        'To: <sip:a@h>\r\nCall-ID: 1\r\nCSeq: 1 OPTIONS\r\n\r\n',
      port,
      '127.0.0.1',
    )
  send(far.ports.udp)
  send(near.ports.udp)
  await once(socket, 'message')
  expect(received).toHaveLength(1)
  clock.advance(SIP_LIMITS.guessesForgottenMs)
  send(far.ports.udp)
  await once(socket, 'message')
})

const isRegistered = (change: object) => 'registration' in change && JSON.stringify(change).includes('until')

function keepMoving(clock: TestClock): () => void {
  const timer = setInterval(() => clock.advance(100), 1)
  return () => clearInterval(timer)
}

describe('numbers are formatted as the carrier expects, and parsed back', () => {
  const danish: NumberFormat = {
    style: 'national',
    countryCode: '45',
    nationalPrefix: '',
    internationalPrefix: '00',
  }
  const german: NumberFormat = { ...danish, countryCode: '49', nationalPrefix: '0' }

  test.each([
    ['+4520112233', { style: 'e164' }, '+4520112233'],
    ['+4520112233', { style: 'plain' }, '4520112233'],
    ['+4520112233', danish, '20112233'],
    ['+493012345', danish, '00493012345'],
    ['+493012345', german, '03012345'],
    ['+4520112233', german, '004520112233'],
  ] as [string, NumberFormat, string][])('%s in %o is %s', (number, format, written) => {
    expect(formatNumber(number, format)).toBe(written)
    expect(parseNumber(written, format)).toBe(number)
  })

  test('other texts are not numbers', () => {
    expect(parseNumber('anonymous', danish)).toBeUndefined()
  })
})
