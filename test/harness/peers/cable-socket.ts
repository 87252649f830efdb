import { once } from 'node:events'

import { expect, onTestFinished, vi } from 'vitest'
import { type ClientOptions, WebSocket } from 'ws'

import { fail } from '../../../server/platform/errors.ts'

/** The live channel frame by frame, which no published client exposes. */
export interface CableSocket {
  socket: WebSocket
  frames: any[]
  closed: Promise<{ code: number; reason: string }>
  /** Waits for a frame with at least these fields. */
  frame(like: object): Promise<any>
  /** Waits for a message of this subscription, and returns its whole frame. */
  message(identifier?: string): Promise<any>
  send(frame: unknown): void
  subscribe(identifier?: string): Promise<void>
}

export const IDENTIFIER = '{"channel":"CallsChannel"}'
export const PROTOCOL = 'actioncable-v1-json'

/** Generous, for a busy machine. */
export const DEADLINE = { timeout: 30_000, interval: 20 }

interface SocketOptions extends ClientOptions {
  key?: string
  path?: string
  protocols?: string[]
}

/** Resolves after the upgrade. */
export async function openSocket(url: string, options: SocketOptions = {}): Promise<CableSocket> {
  const { key, path = '/cable', protocols = [PROTOCOL], headers, ...rest } = options
  const socket = new WebSocket(`${url.replace('http', 'ws')}${path}`, protocols, {
    ...rest,
    headers: { ...(key && { 'x-api-key': key }), ...headers },
  })
  onTestFinished(() => socket.terminate())
  const frames: any[] = []
  socket.on('message', (data: Buffer) => frames.push(JSON.parse(data.toString())))
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    socket.on('close', (code, reason) => resolve({ code, reason: reason.toString() }))
  })
  const frame = (like: object) =>
    vi.waitFor(() => {
      expect(frames).toContainEqual(expect.objectContaining(like))
      return frames.find((one) => Object.entries(like).every(([name, value]) => one[name] === value))
    }, DEADLINE)
  const message = (identifier = IDENTIFIER) =>
    vi.waitFor(
      () =>
        frames.find((one) => one.identifier === identifier && one.message) ??
        fail(new Error(`no message among ${JSON.stringify(frames)}`)),
      DEADLINE,
    )
  const send = (sent: unknown) => socket.send(typeof sent === 'string' ? sent : JSON.stringify(sent))
  await once(socket, 'open')
  socket.on('error', () => {})
  return {
    socket,
    frames,
    closed,
    frame,
    message,
    send,
    async subscribe(identifier = IDENTIFIER) {
      send({ command: 'subscribe', identifier })
      await frame({ type: 'confirm_subscription', identifier })
    },
  }
}

/** A client that is connected and subscribed to its company's messages. */
export async function openCable(url: string, options: SocketOptions): Promise<CableSocket> {
  const cable = await openSocket(url, options)
  await cable.frame({ type: 'welcome' })
  await cable.subscribe()
  return cable
}

/** The live messages it received, without protocol frames. */
export const messagesOf = ({ frames }: CableSocket) =>
  frames.filter((frame) => frame.message && !frame.type).map((frame) => frame.message as unknown)
