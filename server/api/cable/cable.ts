import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'

import { type WebSocket, WebSocketServer } from 'ws'

import type { Clock } from '../../platform/clock.ts'
import type { AppError } from '../../platform/errors.ts'
import type { Log } from '../../platform/log.ts'
import { replyOnSocket } from '../error-replies.ts'
import { type Connection, disconnect, type Drop, welcome } from './connection.ts'
import type { Admission, Authenticate } from './credentials.ts'
import { type Ending, pingFrame, PROTOCOL } from './frames.ts'
import { LIMITS } from './limits.ts'
import { cannotTell, stopping, tooManySockets, unknownProtocol } from './refusals.ts'
import { createStreams } from './streams.ts'

export interface CableOptions {
  authenticate: Authenticate
  mayConnectFrom(request: IncomingMessage): boolean
  clock: Clock
  log: Log
  onEnding(why: Ending | Drop): void
}

/** All clients of the live channel that this process has. */
export interface Cable {
  size(): number
  receive(request: IncomingMessage, socket: Socket, head: Buffer): Promise<void>
  tell(companyId: string, json: string): void
  /** A credential is gone: whoever came by it is sent away. */
  revoke(credentialId: string): void
  /** Something may have been missed: everyone is asked to come again. */
  restart(): void
  /** Asks everyone to come again, as another process or a later one will be here; may be called twice. */
  close(): Promise<void>
}

export function createCable({ authenticate, mayConnectFrom, clock, log, onEnding }: CableOptions): Cable {
  const server = openServer()
  const connections = new Set<Connection>()
  const perCompany = new Map<string, number>()
  const streams = createStreams<Connection>()
  let revocations = 0
  let closing = false

  /** A credential that goes while it is looked up must not let anyone in. */
  async function admissionOf(request: IncomingMessage): Promise<Admission | undefined> {
    for (;;) {
      const before = revocations
      const admission = await authenticate(request)
      if (before === revocations) return admission
    }
  }

  function whyNot(request: IncomingMessage, admission: Admission | undefined): AppError | undefined {
    if (closing) return stopping
    if (!speaksProtocol(request)) return unknownProtocol
    const siblings = (admission && perCompany.get(admission.actor.companyId)) ?? 0
    if (server.clients.size >= LIMITS.sockets || siblings >= LIMITS.socketsPerCompany) return tooManySockets
  }

  function open(socket: WebSocket, request: IncomingMessage, admission: Admission | undefined): void {
    socket.on('error', ignore)
    const refusal = refusalOf(request, admission)
    if (refusal) {
      onEnding(refusal)
      return disconnect(socket, refusal)
    }
    const { companyId } = admission!.actor
    const connection = welcome(socket, { admission: admission!, streams, clock, onEnding, onClose })
    connections.add(connection)
    perCompany.set(companyId, (perCompany.get(companyId) ?? 0) + 1)
  }

  function refusalOf(request: IncomingMessage, admission: Admission | undefined): Ending | undefined {
    if (!mayConnectFrom(request)) return 'invalid_request'
    return admission ? undefined : 'unauthorized'
  }

  function onClose(connection: Connection): void {
    const { companyId } = connection.admission.actor
    connections.delete(connection)
    const left = perCompany.get(companyId)! - 1
    if (left > 0) perCompany.set(companyId, left)
    else perCompany.delete(companyId)
  }

  const stopBeating = everyBeat(clock, (beat) => {
    const frame = Buffer.from(pingFrame(clock.now()))
    for (const connection of connections) {
      connection.send(frame)
      if (beat % LIMITS.pingsBetweenProofs === 0) connection.askForProof()
    }
  })

  return {
    size: () => connections.size,
    async receive(request, socket, head) {
      socket.on('error', ignore)
      try {
        const admission = await admissionOf(request)
        const refusal = whyNot(request, admission)
        if (refusal) return replyOnSocket(socket, refusal)
        server.handleUpgrade(request, socket, head, (client) => open(client, request, admission))
        socket.off('error', ignore)
      } catch (err) {
        log.error({ err }, 'a client of the live channel could not be authenticated')
        replyOnSocket(socket, cannotTell)
      }
    },
    tell: streams.tell,
    revoke(credentialId) {
      revocations++
      for (const connection of connections)
        if (connection.admission.credentialId === credentialId) connection.disconnect('unauthorized')
    },
    restart() {
      revocations++
      for (const connection of connections) connection.disconnect('server_restart')
    },
    async close() {
      closing = true
      stopBeating()
      for (const connection of connections) connection.disconnect('server_restart')
      await Promise.all([...server.clients].map((client) => once(client, 'close')))
    },
  }
}

/** What breaks a connection also closes it, and is no fault of ours to report. */
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

/** Who offers no protocol at all is taken to know where it is. */
function speaksProtocol({ headers }: IncomingMessage): boolean {
  const offered = headers['sec-websocket-protocol']
  return offered === undefined || offered.split(',').some((name) => name.trim() === PROTOCOL)
}

function everyBeat(clock: Clock, run: (beat: number) => void): () => void {
  let beat = 0
  const next = () => {
    callOff = clock.after(LIMITS.pingMs, next)
    run(++beat)
  }
  let callOff = clock.after(LIMITS.pingMs, next)
  return () => callOff()
}
