import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'

import { type WebSocket, WebSocketServer } from 'ws'

import { SIP_LIMITS } from '../limits.ts'
import type { ConnectionSocket, SipConnection } from './connection.ts'

const NORMAL_CLOSURE = 1000
const LINE_ENDS = /^(?:\r\n){1,2}$/

interface WebSocketAdmission {
  hasRoomFor(request: IncomingMessage): boolean
  accept(socket: WebSocket, request: IncomingMessage): void
}

/** RFC 7118: accepts the HTTP upgrade to a WebSocket with the subprotocol `sip`. */
export function acceptWebSockets({ hasRoomFor, accept }: WebSocketAdmission) {
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: SIP_LIMITS.messageBytesMax,
    handleProtocols: (offered) => (offered.has('sip') ? 'sip' : false),
  })
  return (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    const offered = request.headers['sec-websocket-protocol']?.split(',').map((name) => name.trim())
    if (!offered?.includes('sip')) {
      return refuse(socket, '400 Bad Request', 'Offer the subprotocol sip.')
    }
    if (!hasRoomFor(request)) {
      const sentence = 'There are too many open connections. Try again later.'
      return refuse(socket, '503 Service Unavailable', sentence, SIP_LIMITS.connectAgainSeconds)
    }
    server.handleUpgrade(request, socket, head, (webSocket) => accept(webSocket, request))
  }
}

function refuse(socket: Duplex, status: string, sentence: string, againSeconds?: number): void {
  const again = againSeconds === undefined ? '' : `Retry-After: ${againSeconds}\r\n`
  socket.on('error', () => {})
  socket.end(
    `HTTP/1.1 ${status}\r\nConnection: close\r\n${again}Content-Type: text/plain\r\n` +
      `Content-Length: ${sentence.length}\r\n\r\n${sentence}`,
  )
}

/** Each WebSocket message is one SIP message, or a keep-alive. */
export function attachWebSocket(
  socket: WebSocket,
  open: (wire: ConnectionSocket) => SipConnection,
  receive: (bytes: Buffer, connection: SipConnection) => boolean,
): SipConnection {
  const connection = open({
    // Browsers accept text and binary frames; their SIP libraries expect text.
    write: (bytes, failed) => socket.send(bytes, { binary: false }, (error) => error && failed()),
    unsentBytes: () => socket.bufferedAmount,
    destroy: () => socket.close(NORMAL_CLOSURE),
  })
  // By default, ws delivers one Buffer for each message.
  socket.on('message', (data) => {
    const bytes = data as Buffer
    if (bytes.length <= 4 && LINE_ENDS.test(bytes.toString('latin1'))) {
      if (bytes.length === 4) connection.gotPing()
      else connection.gotPong()
    } else receive(bytes, connection)
  })
  socket.on('error', () => connection.close())
  socket.on('close', () => connection.close())
  return connection
}
