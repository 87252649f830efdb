import { createSocket } from 'node:dgram'
import { once } from 'node:events'

import { afterEach, expect, test } from 'vitest'

import { ANNA, follow, loopbackTrunk, sdp, startAgent } from '../../../test/harness/sip/agent.ts'
import { AsyncQueue } from '../../../test/harness/sip/async-queue.ts'
import { createTestClock } from '../../../test/harness/test-clock.ts'
import { DigestClient } from '../auth/client.ts'
import { SIP_LIMITS } from '../limits.ts'
import { respondTo, tagTo } from '../message/create.ts'
import type { SipMessage, SipRequest, SipResponse } from '../message/message.ts'
import { parseMessage } from '../message/parse.ts'
import { printMessage } from '../message/print.ts'
import type { SipRefusal } from '../refusal.ts'

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close()
})

type Started = Awaited<ReturnType<typeof startUserAgent>>

const PROXY = '127.0.0.1'
const PHONE = { transport: 'WSS', address: '198.51.100.7' }

async function startUserAgent(options: Parameters<typeof startAgent>[0]) {
  const refusals = new AsyncQueue<SipRefusal>()
  const started = await startAgent({
    passwords: { phone: 'open-sesame' },
    onRefusal: refusals.put,
    ...options,
  })
  closers.push(() => started.agent.close())
  return { ...started, refusals }
}

const isFinal = (message: SipMessage): message is SipResponse =>
  message.kind === 'response' && message.status >= 200

/** What a proxy sends on, with the Via of the sender below its own. */
async function openProxy(to: Started) {
  const socket = createSocket('udp4').bind(0, PROXY)
  await once(socket, 'listening')
  closers.push(() => socket.close())
  const messages = new AsyncQueue<SipMessage>()
  socket.on('message', (bytes) => {
    // A proxy removes its own Via from a response.
    const text = bytes.toString()
    const own = text.startsWith('SIP/2.0') ? text.replace(/^Via: .*\r\n/m, '') : text
    const parsed = parseMessage(Buffer.from(own))
    if (parsed.ok) messages.put(parsed.message)
  })
  const { port } = socket.address()
  const digest = new DigestClient({ username: 'phone', password: 'open-sesame' }, () => 'cnonce')
  let serial = 0
  const send = (message: SipMessage, toPort = to.ports.udp) =>
    socket.send(printMessage(message), toPort, PROXY)

  function make(method: string, from: { transport: string; address: string }, more: string[]): SipRequest {
    serial++
    const lines = [
      `${method} sip:bellhop.test SIP/2.0`,
      `Via: SIP/2.0/UDP ${PROXY}:${port};branch=z9hG4bK-proxy-${serial}`,
      `Via: SIP/2.0/${from.transport} phone.invalid;rport=4711;received=${from.address};branch=z9hG4bK-${serial}`,
      'From: <sip:phone@bellhop.test>;tag=1',
      'To: <sip:phone@bellhop.test>',
      `Call-ID: ${method}-${from.address}`,
      `CSeq: ${serial} ${method}`,
      'Contact: <sip:phone@phone.invalid;transport=ws>',
      ...more,
      '',
      '',
    ]
    const parsed = parseMessage(Buffer.from(lines.join('\r\n')))
    if (!parsed.ok || parsed.message.kind !== 'request') throw new Error('not a request')
    return parsed.message
  }

  const answer = () => messages.take(isFinal)
  async function ask(method: string, from = PHONE, more: string[] = []): Promise<SipResponse> {
    send(make(method, from, more))
    return answer()
  }
  async function askWithPassword(method: string, from = PHONE, more: string[] = []): Promise<SipResponse> {
    digest.takeUp(await ask(method, from, more))
    const request = make(method, from, more)
    digest.sign(request)
    send(request)
    return answer()
  }
  const path = `Path: <sip:${PROXY}:${port};lr;received=sip:198.51.100.7:4711>`
  return { messages, send, ask, askWithPassword, path }
}

function refusalOf(request: SipRequest): SipResponse {
  const response = respondTo(request, 486)
  tagTo(response, request, 'phone')
  return response
}

test('a phone that registers through a proxy is called on its path, by every process', async () => {
  const registrar = await startUserAgent({ proxies: [PROXY] })
  const proxy = await openProxy(registrar)
  expect(await proxy.askWithPassword('REGISTER', PHONE, [proxy.path])).toMatchObject({ status: 200 })
  const [binding] = await registrar.agent.bindingsOf('phone')
  expect(binding).toMatchObject({ protocol: 'wss', remote: { address: PHONE.address, port: 4711 } })

  const other = await startUserAgent({})
  const call = other.agent.invite({ to: 'device', binding: binding! }, { from: ANNA, body: sdp() })
  const invite = (await proxy.messages.take(({ kind }) => kind === 'request')) as SipRequest
  expect(invite.uri).toBe('sip:phone@phone.invalid;transport=ws')
  expect(invite.headers.get('route')).toBe(proxy.path.slice('Path: '.length))
  proxy.send(refusalOf(invite), other.ports.udp)
  expect(await follow(call).next('ended')).toMatchObject({ ending: { why: 'refused', status: 486 } })
})

test.each([
  ['a carrier is recognised by its address beyond a trusted proxy', [PROXY], { status: 486 }],
  ['an address that a stranger writes into a Via means nothing', ['192.0.2.1'], { status: 401 }],
])('%s', async (_, proxies, expected) => {
  const carrier = loopbackTrunk('carrier', 5060, { addresses: ['198.51.100.20'] })
  const server = await startUserAgent({ proxies, trunks: [carrier] })
  const proxy = await openProxy(server)
  const from = { transport: 'UDP', address: '198.51.100.20' }
  const answer = proxy.ask('INVITE', from)
  if (expected.status === 486) (await server.calls.take(({ peer }) => peer.kind === 'trunk')).reject(486)
  expect(await answer).toMatchObject(expected)
})

test('a user agent that takes no calls says so to whoever asks', async () => {
  let takesCalls = true
  const server = await startUserAgent({ proxies: [PROXY], takesCalls: () => takesCalls })
  const proxy = await openProxy(server)
  expect(await proxy.ask('OPTIONS')).toMatchObject({ status: 200 })
  takesCalls = false
  const refused = await proxy.ask('OPTIONS')
  expect(refused.status).toBe(503)
  expect(refused.headers.get('retry-after')).toBe('5')
})

test('a source that guesses passwords is blocked alone, and the proxy learns for how long', async () => {
  const clock = createTestClock()
  const server = await startUserAgent({ proxies: [PROXY], clock })
  const proxy = await openProxy(server)
  const guesser = { transport: 'UDP', address: '198.51.100.66' }
  const challenge = await proxy.ask('REGISTER', guesser)
  const nonce = /nonce="([^"]+)"/.exec(challenge.headers.get('www-authenticate')!)![1]
  const guess =
    `Authorization: Digest username="phone", realm="bellhop.test", nonce="${nonce}", uri="sip:bellhop.test", ` +
    'response="00000000000000000000000000000000"'
  for (let count = 0; count < SIP_LIMITS.guessesUntilBlocked; count++) {
    const answer = proxy.ask('REGISTER', guesser, [guess])
    await server.refusals.take(({ why }) => why === 'wrong_password')
    clock.advance(SIP_LIMITS.guessDelayMsMax)
    expect(await answer).toMatchObject({ status: 401 })
  }
  const blocked = await proxy.ask('REGISTER', guesser)
  expect(blocked.status).toBe(403)
  expect(blocked.headers.get('x-bellhop-blocked')).toBe('896')
  expect((await proxy.askWithPassword('REGISTER', PHONE, [proxy.path])).status).toBe(200)
})
