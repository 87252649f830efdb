import { randomBytes } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { isIPv6 } from 'node:net'

import type { Clock } from '../../../platform/clock.ts'
import type { Log } from '../../../platform/log.ts'
import { RTPENGINE_LIMITS } from '../limits.ts'

const { requestMs, resendMs } = RTPENGINE_LIMITS

export type NgReply = Record<string, unknown>

/** The instance did not reply, or refused. */
export class NgFailed extends Error {
  readonly why: 'timeout' | 'refused' | 'closed'

  constructor(why: NgFailed['why'], message: string) {
    super(message)
    this.name = 'NgFailed'
    this.why = why
  }
}

export interface NgClient {
  request(command: string, more?: Record<string, unknown>): Promise<NgReply>
  /** What is under way fails now, as if no reply had come in time. */
  giveUp(): void
  close(): void
}

interface NgClientOptions {
  clock: Clock
  log: Log
  /** Its machine says that nobody listens at that port. */
  onRefused?(): void
}

interface Waiting {
  send(): void
  giveUp(): void
  settle(outcome: NgReply | NgFailed): void
}

/**
 * The control protocol of rtpengine ("ng"), in JSON over UDP. A request is repeated with the same cookie until the reply
 * arrives; rtpengine recognises the repetition and executes the request once.
 */
export function createNgClient(
  { host, port }: { host: string; port: number },
  { clock, log, onRefused = () => {} }: NgClientOptions,
): NgClient {
  const socket = createSocket(isIPv6(host) ? 'udp6' : 'udp4')
  const waiting = new Map<string, Waiting>()
  const prefix = randomBytes(6).toString('hex')
  let requests = 0
  let isConnected = false
  let isClosed = false

  socket.on('message', (bytes) => {
    const text = bytes.toString()
    const space = text.indexOf(' ')
    waiting.get(text.slice(0, space))?.settle(readReply(text.slice(space + 1)))
  })
  // The request is sent again, and fails after a while.
  socket.on('error', (err: NodeJS.ErrnoException) => {
    if (err.code === 'ECONNREFUSED') onRefused()
    else log.warn({ err, host, port }, 'the socket to rtpengine failed')
  })
  // Only a connected socket is told that nobody listens.
  socket.connect(port, host)
  socket.once('connect', () => {
    isConnected = true
    for (const { send } of waiting.values()) send()
  })

  function send(bytes: Buffer): void {
    if (!isConnected) return
    // Any other error is like a lost packet.
    socket.send(bytes, (err: NodeJS.ErrnoException | null) => {
      if (err?.code === 'ECONNREFUSED' && !isClosed) onRefused()
    })
  }

  return {
    request(command, more = {}) {
      if (isClosed) return Promise.reject(new NgFailed('closed', 'The connection to rtpengine is closed.'))
      const cookie = `${prefix}_${++requests}`
      const bytes = Buffer.from(`${cookie} ${JSON.stringify({ command, ...more })}`)
      return new Promise((resolve, reject) => {
        let callOffResend: (() => void) | undefined
        const giveUp = () => settle(new NgFailed('timeout', `rtpengine at ${host}:${port} does not reply.`))
        // In two parts, because after a pause of this process timers run before replies that wait are read.
        let callOffEnd = clock.after(requestMs - resendMs, () => {
          callOffEnd = clock.after(resendMs, giveUp)
        })
        function settle(outcome: NgReply | NgFailed): void {
          waiting.delete(cookie)
          callOffResend?.()
          callOffEnd()
          if (outcome instanceof NgFailed) reject(outcome)
          else resolve(outcome)
        }
        function sendFrom(nextMs: number): void {
          send(bytes)
          callOffResend = clock.after(nextMs, () => sendFrom(nextMs * 2))
        }
        waiting.set(cookie, { send: () => send(bytes), giveUp, settle })
        sendFrom(resendMs)
      })
    },
    giveUp() {
      for (const { giveUp } of waiting.values()) giveUp()
    },
    close() {
      if (isClosed) return
      isClosed = true
      for (const { settle } of waiting.values())
        settle(new NgFailed('closed', 'The connection to rtpengine is closed.'))
      socket.close()
    },
  }
}

function readReply(text: string): NgReply | NgFailed {
  let reply: unknown
  try {
    reply = JSON.parse(text)
  } catch {
    return new NgFailed('refused', 'rtpengine sent a reply that is not JSON.')
  }
  if (typeof reply !== 'object' || reply === null)
    return new NgFailed('refused', 'rtpengine sent a reply that is no object.')
  const { result, 'error-reason': reason } = reply as NgReply
  if (result === 'error') return new NgFailed('refused', `rtpengine refused: ${String(reason)}`)
  return reply as NgReply
}
