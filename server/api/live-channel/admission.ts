import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'

import { type WebSocket, WebSocketServer } from 'ws'

import { takeTurns } from '../../platform/async/take-turns.ts'
import { AppError } from '../../platform/errors.ts'
import { replyOnSocket } from '../../platform/http/socket-reply.ts'
import type { Log } from '../../platform/log.ts'
import type { DefaultHeaders } from '../reply/default-headers.ts'
import { disconnect } from './connection.ts'
import type { Authenticate, AuthenticatedClient } from './credentials.ts'
import { type DisconnectReason, PROTOCOL } from './frames.ts'
import { LIVE_CHANNEL_LIMITS } from './limits.ts'
import {
  liveChannelUnavailable,
  stopping,
  tooManyAtOnce,
  tooManySockets,
  unknownProtocol,
} from './refusals.ts'

interface DoorOptions {
  authenticate: Authenticate
  mayConnectFrom(request: IncomingMessage): boolean
  hasRoomFor(admission: AuthenticatedClient): boolean
  onRefused(why: DisconnectReason): void
  onAdmitted(socket: WebSocket, admission: AuthenticatedClient): void
  /** Headers of a response in place of an upgrade. */
  standing: DefaultHeaders
  log: Log
}

/** Decides who is admitted. */
export function createConnectionAdmission(options: DoorOptions) {
  const { authenticate, mayConnectFrom, hasRoomFor, onRefused, onAdmitted, standing, log } = options
  const server = openServer()
  const inTurn = takeTurns({
    atOnce: LIVE_CHANNEL_LIMITS.checksAtOnce,
    waiting: LIVE_CHANNEL_LIMITS.checksWaiting,
    tooMany: tooManyAtOnce,
  })
  let lookUps = 0
  let closing = false

  /** A credential that is revoked during the check must not admit anyone. */
  async function admissionOf(request: IncomingMessage): Promise<AuthenticatedClient | undefined> {
    for (;;) {
      const before = lookUps
      const admission = await authenticate(request)
      if (before === lookUps) return admission
    }
  }

  function whyNoUpgrade(
    request: IncomingMessage,
    admission: AuthenticatedClient | undefined,
  ): AppError | undefined {
    if (closing) return stopping
    if (!speaksProtocol(request)) return unknownProtocol
    const hasRoom = server.clients.size < LIVE_CHANNEL_LIMITS.sockets && (!admission || hasRoomFor(admission))
    return hasRoom ? undefined : tooManySockets
  }

  /** Only after the upgrade can a client be told not to reconnect. */
  function open(
    socket: WebSocket,
    request: IncomingMessage,
    admission: AuthenticatedClient | undefined,
  ): void {
    socket.on('error', ignore)
    const ours = mayConnectFrom(request)
    if (ours && admission) return onAdmitted(socket, admission)
    const why = ours ? 'unauthorized' : 'invalid_request'
    onRefused(why)
    disconnect(socket, why)
  }

  return {
    async receive(request: IncomingMessage, socket: Socket, head: Buffer): Promise<void> {
      socket.on('error', ignore)
      try {
        // Whoever has left meanwhile costs nothing more.
        const admission = await inTurn(async () => (socket.destroyed ? undefined : admissionOf(request)))
        const refusal = whyNoUpgrade(request, admission)
        if (refusal) return replyOnSocket(socket, refusal, standing)
        server.handleUpgrade(request, socket, head, (client) => open(client, request, admission))
      } catch (err) {
        if (err instanceof AppError) return replyOnSocket(socket, err, standing)
        log.error({ err }, 'a client of the live channel could not be authenticated')
        replyOnSocket(socket, liveChannelUnavailable, standing)
      }
    },
    /** Credentials were revoked: repeats the pending checks. */
    recheck(): void {
      lookUps++
    },
    /** Admits nobody any more, and waits until everybody has disconnected. */
    async close(): Promise<void> {
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
    maxPayload: LIVE_CHANNEL_LIMITS.messageBytes,
    maxFragments: LIVE_CHANNEL_LIMITS.messageFragments,
    closeTimeout: LIVE_CHANNEL_LIMITS.closeMs,
    handleProtocols: () => PROTOCOL,
  }
  return new WebSocketServer(options)
}

/** A client that offers no subprotocol is assumed to know this one. */
function speaksProtocol({ headers }: IncomingMessage): boolean {
  const offered = headers['sec-websocket-protocol']
  return offered === undefined || offered.split(',').some((name) => name.trim() === PROTOCOL)
}
