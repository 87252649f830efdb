import { once } from 'node:events'
import {
  type Server,
  type Socket,
  connect as connectTcp,
  createServer as createTcpServer,
  isIP,
} from 'node:net'
import { type TLSSocket, connect as connectTls, createServer as createTlsServer } from 'node:tls'

import { SIP_LIMITS } from '../limits.ts'
import { StreamFramer } from '../message/stream-framer.ts'
import type { ConnectionSocket, SipConnection } from './connection.ts'
import type { TransportAddress } from './flow.ts'

export type StreamProtocol = 'tcp' | 'tls'

export interface TlsOptions {
  key: string | Buffer
  cert: string | Buffer
  /** Certificate authorities that we trust as a client, in addition to Node's. */
  ca?: string | Buffer
}

export async function openStreamServer(options: {
  protocol: StreamProtocol
  host: string
  port: number
  ipv6Only: boolean
  tls: TlsOptions | undefined
  accept: (socket: Socket) => void
}): Promise<{ local: TransportAddress; server: Server }> {
  const { protocol, tls } = options
  if (protocol === 'tls' && !tls) throw new Error('TLS needs a key and a certificate')
  const server =
    protocol === 'tls'
      ? createTlsServer({ ...tls, minVersion: 'TLSv1.2', handshakeTimeout: SIP_LIMITS.firstMessageMs })
      : createTcpServer()
  // Includes connections in the TLS handshake.
  server.maxConnections = SIP_LIMITS.connectionsMax
  server.on(protocol === 'tls' ? 'secureConnection' : 'connection', options.accept)
  server.on('tlsClientError', (_: Error, socket: TLSSocket) => socket.destroy())
  const { port: wanted, host, ipv6Only } = options
  server.listen({ port: wanted, host, ipv6Only, backlog: SIP_LIMITS.connectionsWaitingMax })
  await once(server, 'listening')
  const { address, port } = server.address() as TransportAddress
  return { local: { address, port }, server }
}

/** Resolves when the connection is usable; rejects if it is refused, fails verification or times out. */
export async function connectStream(
  protocol: StreamProtocol,
  to: TransportAddress,
  options: { serverName?: string | undefined; tls: TlsOptions | undefined; signal: AbortSignal },
): Promise<Socket> {
  const { address: host, port } = to
  const servername =
    options.serverName && isIP(options.serverName) === 0 ? { servername: options.serverName } : {}
  const ca = options.tls?.ca === undefined ? {} : { ca: options.tls.ca }
  const socket =
    protocol === 'tls'
      ? connectTls({ host, port, minVersion: 'TLSv1.2', ...ca, ...servername })
      : connectTcp({ host, port })
  try {
    await once(socket, protocol === 'tls' ? 'secureConnect' : 'connect', { signal: options.signal })
  } catch (error) {
    socket.destroy()
    throw error
  }
  return socket
}

/** Splits the stream into messages. `open` gets the wire and returns the connection on it. */
export function attachStream(
  socket: Socket,
  open: (wire: ConnectionSocket) => SipConnection,
  receive: (bytes: Buffer, connection: SipConnection) => boolean,
): SipConnection {
  const framer = new StreamFramer()
  socket.setNoDelay(true)
  socket.setKeepAlive(true, SIP_LIMITS.keepAliveMs)
  const connection = open({
    write(bytes, failed) {
      socket.write(bytes, (error) => error && failed())
    },
    unsentBytes: () => socket.writableLength,
    destroy: () => socket.destroySoon(),
  })
  socket.on('data', (chunk) => {
    const frames = framer.push(chunk)
    if (frames.length > 0) connection.gotRest()
    if (framer.isWaiting) connection.expectRest()
    for (const frame of frames) {
      if (frame.type === 'ping') connection.gotPing()
      else if (frame.type === 'pong') connection.gotPong()
      // After an unreadable message, the start of the next one is a guess.
      else if (frame.type === 'broken' || !receive(frame.bytes, connection)) return connection.close()
    }
  })
  socket.on('error', () => connection.close())
  socket.on('close', () => connection.close())
  return connection
}
