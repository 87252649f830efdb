import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

import type { Contender } from '../measure.ts'

/**
 * WebSockets that only count what they receive: a complete client would take longer to read than the server to send.
 */
export interface LiveSockets {
  /**
   * Broadcasts for a while, each time after the previous message has reached all; counts what reached one socket as
   * one.
   */
  broadcasting(send: (sockets: Socket[]) => unknown): Contender
}

const UPGRADE = { Host: 'bench', Connection: 'Upgrade', Upgrade: 'websocket', 'Sec-WebSocket-Version': '13' }
const KEY = { 'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==' }

function upgradeRequest({ path, headers }: Pick<SocketsOptions, 'path' | 'headers'>): string {
  const lines = Object.entries({ ...UPGRADE, ...KEY, ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  )
  return `GET ${path} HTTP/1.1\r\n${lines.join('')}\r\n`
}

const NO_MASK = [0, 0, 0, 0]
const PONG = Buffer.from([0x8a, 0x80, ...NO_MASK])

/** A frame of up to 65,535 bytes of text, as a client sends it. */
export function clientFrame(text: string): Buffer {
  const length = Buffer.byteLength(text)
  const size = length < 126 ? [0x80 | length] : [0x80 | 126, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([0x81, ...size, ...NO_MASK]), Buffer.from(text)])
}

export interface SocketsOptions {
  url: string
  path: string
  headers?: Record<string, string>
  count: number
  /** What each sends once it is connected. */
  greeting?: Buffer
  /** What each receives last before it is ready. */
  ready: string
  /** What each receives then, and nothing longer. */
  text: string
}

export async function openSockets(options: SocketsOptions): Promise<LiveSockets> {
  const frameBytes = serverFrameBytes(options.text)
  let missing = 0
  let underWay: { reachedAll(): void; failed(error: Error): void } | undefined
  const count = (chunk: Buffer) => {
    // Pings are shorter.
    missing -= Math.floor(chunk.length / frameBytes)
    if (missing === 0) underWay?.reachedAll()
  }
  const sockets: Socket[] = []
  for (let opened = 0; opened < options.count; opened++) {
    const socket = await openSocket(options)
    socket.on('data', count)
    socket.on('close', () => underWay?.failed(new Error(`${options.url} has closed a socket`)))
    sockets.push(socket)
  }
  return {
    broadcasting: (send) => async (ms) => {
      for (const socket of sockets) socket.write(PONG)
      const start = performance.now()
      let broadcasts = 0
      while (performance.now() - start < ms) {
        missing = sockets.length
        const reached = new Promise<void>((reachedAll, failed) => (underWay = { reachedAll, failed }))
        await send(sockets)
        await reached
        broadcasts++
      }
      return ((broadcasts * sockets.length) / (performance.now() - start)) * 1000
    },
  }
}

function serverFrameBytes(text: string): number {
  const length = Buffer.byteLength(text)
  return length + (length < 126 ? 2 : 4)
}

async function openSocket({ url, path, headers, greeting, ready }: SocketsOptions): Promise<Socket> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.write(upgradeRequest({ path, headers }))
  if (greeting) socket.write(greeting)
  let said = ''
  while (!said.includes(ready)) {
    const [chunk] = (await once(socket, 'data')) as [Buffer]
    said += chunk.toString('latin1')
  }
  return socket
}
