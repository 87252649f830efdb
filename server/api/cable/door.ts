import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'

import { type WebSocket, WebSocketServer } from 'ws'

import type { AppError } from '../../platform/errors.ts'
import { replyOnSocket } from '../../platform/http/socket-reply.ts'
import type { Log } from '../../platform/log.ts'
import type { StandingHeaders } from '../reply/standing-headers.ts'
import { disconnect } from './connection.ts'
import type { Admission, Authenticate } from './credentials.ts'
import { type Ending, PROTOCOL } from './frames.ts'
import { LIMITS } from './limits.ts'
import { cannotTell, stopping, tooManySockets, unknownProtocol } from './refusals.ts'

interface DoorOptions {
  authenticate: Authenticate
  mayConnectFrom(request: IncomingMessage): boolean
  hasRoomFor(admission: Admission): boolean
  onRefused(why: Ending): void
  onAdmitted(socket: WebSocket, admission: Admission): void
  /** Headers of a response in place of an upgrade. */
  standing: StandingHeaders
  log: Log
}

/** Decides who is admitted. */
export interface Door {
  receive(request: IncomingMessage, socket: Socket, head: Buffer): Promise<void>
  /** Credentials were revoked: repeats the pending checks. */
  lookAgain(): void
  /** Admits nobody any more, and waits until everybody has disconnected. */
  close(): Promise<void>
}

export function createDoor(options: DoorOptions): Door {
  const { authenticate, mayConnectFrom, hasRoomFor, onRefused, onAdmitted, standing, log } = options
  const server = openServer()
  let lookUps = 0
  let closing = false

  /** A credential that is revoked during the check must not admit anyone. */
  async function admissionOf(request: IncomingMessage): Promise<Admission | undefined> {
    for (;;) {
      const before = lookUps
      const admission = await authenticate(request)
      if (before === lookUps) return admission
    }
  }

  function whyNoUpgrade(request: IncomingMessage, admission: Admission | undefined): AppError | undefined {
    if (closing) return stopping
    if (!speaksProtocol(request)) return unknownProtocol
    const hasRoom = server.clients.size < LIMITS.sockets && (!admission || hasRoomFor(admission))
    return hasRoom ? undefined : tooManySockets
  }

  /** Only after the upgrade can a client be told not to reconnect. */
  function open(socket: WebSocket, request: IncomingMessage, admission: Admission | undefined): void {
    socket.on('error', ignore)
    const ours = mayConnectFrom(request)
    if (ours && admission) return onAdmitted(socket, admission)
    const why = ours ? 'unauthorized' : 'invalid_request'
    onRefused(why)
    disconnect(socket, why)
  }

  return {
    async receive(request, socket, head) {
      socket.on('error', ignore)
      try {
        const admission = await admissionOf(request)
        const refusal = whyNoUpgrade(request, admission)
        if (refusal) return replyOnSocket(socket, refusal, standing)
        server.handleUpgrade(request, socket, head, (client) => open(client, request, admission))
      } catch (err) {
        log.error({ err }, 'a client of the live channel could not be authenticated')
        replyOnSocket(socket, cannotTell, standing)
      }
    },
    lookAgain() {
      lookUps++
    },
    async close() {
      closing = true
      await Promise.all([...server.clients].map((client) => once(client, 'close')))
    },
  }
}

/** An error of a connection also closes it, and is not ours to report. */
function ignore(): void {}

function openServer(): WebSocketServer {
  const options = {
    noServer: true,
    maxPayload: LIMITS.messageBytes,
    maxFragments: LIMITS.messageFragments,
    closeTimeout: LIMITS.closeMs,
    handleProtocols: () => PROTOCOL,
  }
  return new WebSocketServer(options)
}

/** A client that offers no subprotocol is assumed to know this one. */
function speaksProtocol({ headers }: IncomingMessage): boolean {
  const offered = headers['sec-websocket-protocol']
  return offered === undefined || offered.split(',').some((name) => name.trim() === PROTOCOL)
}
