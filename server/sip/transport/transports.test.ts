import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer as createHttpServer, type IncomingMessage } from 'node:http'
import { type AddressInfo, type Socket, connect, createServer } from 'node:net'
import { connect as connectTls } from 'node:tls'

import { afterEach, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'

import { AsyncQueue } from '../../../test/harness/sip/async-queue.ts'
import { selfSigned } from '../../../test/harness/sip/certificate.ts'
import { createTestClock } from '../../../test/harness/test-clock.ts'
import { SIP_LIMITS } from '../limits.ts'
import { respondTo } from '../message/create.ts'
import { topViaOf } from '../message/fields.ts'
import { bracketed } from '../message/grammar/uri.ts'
import type { SipMessage } from '../message/message.ts'
import { printMessage } from '../message/print.ts'
import type { Flow } from './flow.ts'
import { responseFlow } from './received.ts'
import { Transports } from './transports.ts'

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close()
})

const certificate = await selfSigned()

/** Transports that respond to every request with 200. */
function open(admission: 'free' | 'limited' = 'free') {
  const clock = createTestClock()
  const received = new AsyncQueue<{ message: SipMessage; flow: Flow }>()
  const refused = new AsyncQueue<number>()
  const closed = new AsyncQueue<Flow>()
  const transports = new Transports(
    { clock, tls: { ...certificate, ca: certificate.cert }, admit: () => admission },
    {
      message(message, flow) {
        received.put({ message, flow })
        if (message.kind === 'request') {
          responseFlow(message, flow).send(printMessage(respondTo(message, 200)))
        }
      },
      badRequest: (_, status) => refused.put(status),
      closed: closed.put,
    },
  )
  closers.push(() => transports.close())
  return { clock, transports, received, refused, closed }
}

const options = (via: string) =>
  `OPTIONS sip:a@h SIP/2.0\r\nVia: SIP/2.0/${via};branch=z9hG4bK1\r\nFrom: <sip:a@h>;tag=1\r\nTo: <sip:a@h>\r\n` +
  'Call-ID: 1\r\nCSeq: 1 OPTIONS\r\nContent-Length: 0\r\n\r\n'

/** Peers that send a text and return the first text they receive. */
const peers = {
  async udp(text: string, host: string, port: number): Promise<string> {
    const socket = createSocket(host.includes(':') ? 'udp6' : 'udp4')
    closers.push(() => socket.close())
    socket.bind(0, host)
    await once(socket, 'listening')
    socket.send(text, port, host)
    return String((await once(socket, 'message'))[0])
  },
  async tcp(text: string, host: string, port: number): Promise<string> {
    const socket = connect({ host, port })
    closers.push(() => socket.destroy())
    socket.write(text)
    return String((await once(socket, 'data'))[0])
  },
  async tls(text: string, host: string, port: number): Promise<string> {
    const socket = connectTls({ host, port, ca: certificate.cert })
    closers.push(() => socket.destroy())
    socket.write(text)
    return String((await once(socket, 'data'))[0])
  },
  async ws(text: string, host: string, port: number): Promise<string> {
    const socket = new WebSocket(`ws://${bracketed(host)}:${port}/sip`, 'sip')
    closers.push(() => socket.close())
    await once(socket, 'open')
    socket.send(text)
    return String((await once(socket, 'message'))[0])
  },
}

async function listenForWebSockets(transports: Transports, host: string): Promise<number> {
  const http = createHttpServer().on('upgrade', transports.upgrade)
  http.listen(0, host)
  await once(http, 'listening')
  closers.push(() => http.close())
  return (http.address() as AddressInfo).port
}

describe.each(['127.0.0.1', '::1'])('on %s', (host) => {
  test.each(['udp', 'tcp', 'tls', 'ws'] as const)(
    'a request over %s gets its response on the same flow',
    async (protocol) => {
      const { transports, received } = open()
      const port =
        protocol === 'ws'
          ? await listenForWebSockets(transports, host)
          : (await transports.listen({ protocol, host, port: 0 })).port
      const answer = await peers[protocol](options(`${protocol.toUpperCase()} h;rport`), host, port)
      expect(answer).toMatch(/^SIP\/2\.0 200 /)
      const { flow, message } = await received.take()
      expect(flow).toMatchObject({ protocol, remote: { address: host } })
      expect(Object.fromEntries(topViaOf(message).params)).toEqual({
        branch: 'z9hG4bK1',
        received: host,
        rport: String(flow.remote.port),
      })
    },
  )
})

test('without rport, a response over UDP goes to the port of the Via', async () => {
  const { transports } = open()
  const { port } = await transports.listen({ protocol: 'udp', host: '127.0.0.1', port: 0 })
  const named = createSocket('udp4').bind(0, '127.0.0.1')
  const other = createSocket('udp4')
  closers.push(
    () => named.close(),
    () => other.close(),
  )
  await once(named, 'listening')
  other.send(options(`UDP 127.0.0.1:${named.address().port}`), port, '127.0.0.1')
  expect(String((await once(named, 'message'))[0])).toMatch(/^SIP\/2\.0 200 /)
})

test('a browser connects by WebSocket if it offers the subprotocol sip', async () => {
  const { transports, received } = open()
  const url = `ws://127.0.0.1:${await listenForWebSockets(transports, '127.0.0.1')}/sip`
  const socket = new WebSocket(url, 'sip')
  closers.push(() => socket.close())
  await once(socket, 'open')
  socket.send(options('WS x.invalid'))
  expect(String((await once(socket, 'message'))[0])).toMatch(/^SIP\/2\.0 200 /)
  expect((await received.take()).flow.protocol).toBe('ws')
  socket.send('\r\n\r\n')
  expect(String((await once(socket, 'message'))[0])).toBe('\r\n')

  const other = new WebSocket(url, 'chat')
  expect(String((await once(other, 'error'))[0])).toContain('400')
})

test('a connection is reused, whichever side opened it', async () => {
  const { transports, received } = open()
  const { port } = await transports.listen({ protocol: 'tcp', host: '127.0.0.1', port: 0 })
  await peers.tcp(options('TCP h'), '127.0.0.1', port)
  const { flow } = await received.take()
  expect(await transports.flowTo({ protocol: 'tcp', ...flow.remote })).toBe(flow)
  expect(transports.openFlow(flow.id)).toBe(flow)

  const { server, target } = await listenPlainly()
  const [one, two] = await Promise.all([transports.flowTo(target), transports.flowTo(target)])
  expect(one).toBe(two)
  expect(await new Promise((resolve) => server.getConnections((_, count) => resolve(count)))).toBe(1)
})

test('a connection that we opened is kept alive, and closed when its peer stops responding', async () => {
  const { transports, clock, closed } = open()
  const { target, accepted } = await listenPlainly()
  const flow = await transports.flowTo(target)
  const peer = await accepted.take()
  clock.advance(SIP_LIMITS.keepAliveMs)
  expect(String((await once(peer, 'data'))[0])).toBe('\r\n\r\n')
  clock.advance(SIP_LIMITS.pongMs)
  expect(flow.isOpen).toBe(true)
  // From here on the peer is known to send pongs.
  peer.write(`\r\n${options('TCP h')}`)
  await once(peer, 'data')
  clock.advance(SIP_LIMITS.keepAliveMs + SIP_LIMITS.pongMs)
  expect(await closed.take()).toBe(flow)
})

test('a certificate without a trusted issuer is refused', async () => {
  const { transports } = open()
  const { port } = await transports.listen({ protocol: 'tls', host: '127.0.0.1', port: 0 })
  const target = { protocol: 'tls', address: '127.0.0.1', port } as const
  expect((await transports.flowTo({ ...target, serverName: 'localhost' })).isOpen).toBe(true)
  const other = new Transports({ clock: createTestClock(), admit: () => 'free' }, neverCalled)
  closers.push(() => other.close())
  await expect(other.flowTo(target)).rejects.toThrow(/self-signed/)
})

test('an unknown source is limited to a burst and a rate', async () => {
  const { transports, received, clock } = open('limited')
  const { port } = await transports.listen({ protocol: 'tcp', host: '127.0.0.1', port: 0 })
  const socket = connect({ host: '127.0.0.1', port })
  closers.push(() => socket.destroy())
  const allow = SIP_LIMITS.unknownSourceMessagesBurst
  socket.write(options('TCP h').repeat(allow + 20))
  // The pong shows that everything before it has been read.
  socket.write('\r\n\r\n')
  await readUntil(socket, /(^|\n)\r\n$/)
  expect(received.waiting).toHaveLength(allow)
  clock.advance(1_000)
  socket.write(options('TCP h').repeat(SIP_LIMITS.unknownSourceMessagesPerSecond + 20) + '\r\n\r\n')
  await readUntil(socket, /(^|\n)\r\n$/)
  expect(received.waiting).toHaveLength(allow + SIP_LIMITS.unknownSourceMessagesPerSecond)
})

test.each(['limited', 'free'] as const)('connections per source are limited: %s', async (admission) => {
  const { transports } = open(admission)
  const { port } = await transports.listen({ protocol: 'tcp', host: '127.0.0.1', port: 0 })
  const isKept = async () => {
    const socket = connect({ host: '127.0.0.1', port }).on('error', () => {})
    closers.push(() => socket.destroy())
    socket.write('\r\n\r\n')
    return Promise.race([once(socket, 'data').then(() => true), once(socket, 'close').then(() => false)])
  }
  for (let i = 0; i < SIP_LIMITS.connectionsPerSourceMax; i++) expect(await isKept()).toBe(true)
  expect(await isKept()).toBe(admission === 'free')
})

test('a browser beyond the limit gets an error in place of the upgrade, and is told when to try again', async () => {
  const { transports } = open('limited')
  const { port } = await transports.listen({ protocol: 'tcp', host: '127.0.0.1', port: 0 })
  for (let i = 0; i < SIP_LIMITS.connectionsPerSourceMax; i++) {
    const socket = connect({ host: '127.0.0.1', port })
    closers.push(() => socket.destroy())
    socket.write('\r\n\r\n')
    await once(socket, 'data')
  }
  const browser = new WebSocket(
    `ws://127.0.0.1:${await listenForWebSockets(transports, '127.0.0.1')}/sip`,
    'sip',
  )
  const [, response] = (await once(browser, 'unexpected-response')) as [unknown, IncomingMessage]
  expect(response.statusCode).toBe(503)
  expect(Number(response.headers['retry-after'])).toBeGreaterThan(0)
})

test('an incomplete message closes the connection, however steadily its bytes arrive', async () => {
  const { transports, clock, received } = open()
  const { port } = await transports.listen({ protocol: 'tcp', host: '127.0.0.1', port: 0 })
  const socket = connect({ host: '127.0.0.1', port })
  closers.push(() => socket.destroy())
  // The pong shows that everything before it has been read.
  const send = async (text: string) => {
    socket.write(text)
    await once(socket, 'data')
  }
  await send(options('TCP h'))
  await received.take()
  clock.advance(SIP_LIMITS.wholeMessageMs)
  await send('\r\n\r\n')
  await send(`${options('TCP h')}${options('TCP h').slice(0, 20)}`)
  clock.advance(SIP_LIMITS.wholeMessageMs - 1)
  await send(`${options('TCP h').slice(20)}${options('TCP h').slice(0, 20)}`)
  clock.advance(SIP_LIMITS.wholeMessageMs - 1)
  socket.write('x')
  socket.resume()
  clock.advance(1)
  await once(socket, 'close')
})

test.each([
  ['says nothing', ''],
  ['sends something else', 'GET / HTTP/1.1\r\nHost: h\r\nContent-Length: 0\r\n\r\n'],
])('a connection that %s is closed', async (_, text) => {
  const { transports, clock } = open()
  const { port } = await transports.listen({ protocol: 'tcp', host: '127.0.0.1', port: 0 })
  const socket = connect({ host: '127.0.0.1', port })
  socket.write(text === '' ? '\r\n\r\n' : text)
  if (text === '') {
    await once(socket, 'data')
    clock.advance(SIP_LIMITS.firstMessageMs)
  }
  socket.resume()
  await once(socket, 'close')
})

test('an invalid request is passed on with the status for its response', async () => {
  const { transports, refused } = open()
  const { port } = await transports.listen({ protocol: 'tcp', host: '127.0.0.1', port: 0 })
  const socket = connect({ host: '127.0.0.1', port })
  socket.resume()
  socket.write(options('TCP h').replace('CSeq: 1 OPTIONS', 'CSeq: 1 INVITE'))
  expect(await refused.take()).toBe(400)
  await once(socket, 'close')
})

const neverCalled = {
  message: () => expect.unreachable(),
  badRequest: () => expect.unreachable(),
  closed: () => {},
}

async function listenPlainly() {
  const accepted = new AsyncQueue<Socket>()
  const server = createServer(accepted.put).listen(0, '127.0.0.1')
  await once(server, 'listening')
  closers.push(() => server.close())
  const { port } = server.address() as AddressInfo
  return { server, accepted, target: { protocol: 'tcp', address: '127.0.0.1', port } as const }
}

async function readUntil(socket: Socket, end: RegExp): Promise<void> {
  let text = ''
  while (!end.test(text)) text += String((await once(socket, 'data'))[0])
}
