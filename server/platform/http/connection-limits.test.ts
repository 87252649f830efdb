import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'

import { type Harness, harness } from '../../../test/harness/index.ts'

/** Generous, for a busy machine. */
const PATIENTLY = { timeout: 30_000, interval: 20 }

const sockets: Socket[] = []
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy()
})

function open({ url }: Harness): Socket {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname).setEncoding('utf8')
  sockets.push(socket.on('error', () => {}))
  return socket
}

const ASK = 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n'

/** A kept connection on which a request was answered. */
async function openAndAsk(bellhop: Harness): Promise<{ socket: Socket; answer: string }> {
  const socket = open(bellhop)
  socket.write(ASK)
  const [answer] = (await once(socket, 'data')) as [string]
  return { socket, answer }
}

/** Retries until the connections of the previous test are closed. */
async function openAccepted(bellhop: Harness): Promise<Socket> {
  let socket: Socket | undefined
  await expect
    .poll(async () => {
      const opened = await openAndAsk(bellhop)
      socket = opened.socket
      return opened.answer
    }, PATIENTLY)
    .toMatch(/^HTTP\/1\.1 200 /)
  return socket!
}

async function fill(bellhop: Harness, count: number): Promise<Socket[]> {
  const opened: Socket[] = []
  for (let i = 0; i < count; i++) opened.push(await openAccepted(bellhop))
  return opened
}

async function readToEnd(socket: Socket): Promise<string> {
  let text = ''
  socket.on('data', (chunk) => (text += String(chunk)))
  await once(socket, 'close')
  return text
}

const refusalOf = async (bellhop: Harness) => {
  const socket = open(bellhop)
  socket.write(ASK)
  return readToEnd(socket)
}

describe.each([
  [
    'of one address',
    { HTTP_CONNECTIONS_PER_ADDRESS: '3', HTTP_CONNECTIONS: '100', TRUSTED_PROXIES: '192.0.2.1' },
  ],
  ['in all, also of a trusted proxy', { HTTP_CONNECTIONS_PER_ADDRESS: '1', HTTP_CONNECTIONS: '3' }],
])('the limit of connections %s', (_, environment) => {
  let bellhop: Harness
  beforeAll(async () => {
    bellhop = await harness(environment)
  })

  test('is reported to a refused client, and a closed connection makes room again', async () => {
    const [first] = await fill(bellhop, 3)
    const refusal = await refusalOf(bellhop)
    expect(refusal).toMatch(/^HTTP\/1\.1 503 Service Unavailable\r\n/)
    expect(refusal).toContain('connection: close\r\n')
    expect(refusal).toContain('"error":"too_many_connections"')
    expect(refusal.match(/HTTP\/1\.1/g)).toHaveLength(1)
    first!.destroy()
    await openAccepted(bellhop)
  })

  test('counts WebSockets too', async () => {
    await fill(bellhop, 3)
    const socket = new WebSocket(`${bellhop.url.replace('http', 'ws')}/cable`, 'actioncable-v1-json')
    const [error] = (await once(socket, 'error')) as [Error]
    expect(error.message).toContain('503')
  })

  test('is logged, but not every time', async () => {
    await fill(bellhop, 3)
    for (let i = 0; i < 3; i++) await refusalOf(bellhop)
    const lines = bellhop.logged.filter((line) => line.includes('new ones are refused'))
    expect(lines).toHaveLength(1)
  })
})

describe('a request that arrives too slowly is aborted', () => {
  let bellhop: Harness
  beforeAll(async () => {
    bellhop = await harness({ HTTP_RECEIVE_SECONDS: '1' })
  })

  test.each([
    ['in its headers', 'GET /healthz HTTP/1.1\r\nHost: x\r\nX-Slow: '],
    [
      'in its body',
      'POST /oauth/token HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\n' +
        'Content-Length: 10000\r\n\r\n',
    ],
  ])('%s', async (_, beginning) => {
    const socket = open(bellhop)
    socket.write(beginning)
    const drip = setInterval(() => socket.write('x'), 20)
    socket.once('close', () => clearInterval(drip))
    const answer = await readToEnd(socket)
    expect(answer).toMatch(/^HTTP\/1\.1 408 /)
    expect(answer).toContain('"error":"request_timeout"')
  })

  test('also when nothing was sent at all', async () => {
    const socket = open(bellhop)
    await readToEnd(socket)
  })
})

test('by default, a request has 30 seconds to arrive', async () => {
  const { parts } = await harness()
  expect(parts.config.receiveMs).toBe(30_000)
})
