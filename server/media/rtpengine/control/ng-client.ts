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
  close(): void
}

interface Waiting {
  settle(outcome: NgReply | NgFailed): void
}

/**
 * The control protocol of rtpengine ("ng"), in JSON over UDP. A request is repeated with the same cookie until the reply
 * arrives; rtpengine recognises the repetition and executes the request once.
 */
export function createNgClient(
  { host, port }: { host: string; port: number },
  clock: Clock,
  log: Log,
): NgClient {
  const socket = createSocket(isIPv6(host) ? 'udp6' : 'udp4')
  const waiting = new Map<string, Waiting>()
  const prefix = randomBytes(6).toString('hex')
  let requests = 0
  let isClosed = false

  socket.on('message', (bytes, from) => {
    if (from.port !== port) return
    const text = bytes.toString()
    const space = text.indexOf(' ')
    waiting.get(text.slice(0, space))?.settle(readReply(text.slice(space + 1)))
  })
  // The request is sent again, and fails after a while.
  socket.on('error', (err) => log.warn({ err, host, port }, 'the socket to rtpengine failed'))

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
        function send(nextMs: number): void {
          // An error, as when nobody listens, is like a lost packet.
          socket.send(bytes, port, host, () => {})
          callOffResend = clock.after(nextMs, () => send(nextMs * 2))
        }
        waiting.set(cookie, { settle })
        send(resendMs)
      })
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
