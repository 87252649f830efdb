import type { IncomingMessage } from 'node:http'
import type { Server, Socket } from 'node:net'
import type { Duplex } from 'node:stream'

import type { WebSocket } from 'ws'

import type { Clock } from '../../platform/clock.ts'
import { SIP_LIMITS } from '../limits.ts'
import type { SipRequest } from '../message/message.ts'
import type { ReportRefusal } from '../refusal.ts'
import { type ConnectionSocket, SipConnection } from './connection.ts'
import {
  family,
  type Family,
  type Flow,
  plainAddress,
  printTransportAddress,
  type Protocol,
  sourceOf,
  type TransportAddress,
} from './flow.ts'
import { ownAddress } from './own-address.ts'
import { flowThroughProxy } from './proxied-flow.ts'
import { receiveMessage, type SourcePolicy, type TransportEvents } from './receive.ts'
import { SourceLimit } from './source-limit.ts'
import {
  attachStream,
  connectStream,
  openStreamServer,
  type StreamProtocol,
  type TlsOptions,
} from './stream.ts'
import { type UdpSocket, openUdp } from './udp.ts'
import { acceptWebSockets, attachWebSocket } from './websocket.ts'

export interface ListenAt {
  protocol: 'udp' | 'tcp' | 'tls'
  host: string
  /** 0 means any free port. */
  port: number
  /** Leaves IPv4 to another socket if the host is `::`. */
  ipv6Only?: boolean
}

export interface TransportTarget extends TransportAddress {
  protocol: Protocol
  /** The name that the TLS certificate must have. */
  serverName?: string
}

export interface TransportOptions {
  clock: Clock
  tls?: TlsOptions
  /** The public addresses, if they differ from our own: one for each family. */
  advertised?: readonly string[]
  admit(address: string): SourcePolicy
  /** Whether this is a proxy that tells the truth about who is beyond it. */
  isProxy?(address: string): boolean
  onRefusal?: ReportRefusal
  /** Gets every message that is sent, and keep-alives. */
  onSent?(bytes: Buffer, flow: Flow): void
}

/** All SIP sockets. Senders request a flow; received messages come with theirs. */
export class Transports {
  readonly #options: TransportOptions
  readonly #events: TransportEvents
  readonly #limit: SourceLimit
  readonly #udp: UdpSocket[] = []
  readonly #servers: {
    protocol: StreamProtocol
    local: TransportAddress
    /** It also accepts IPv4. */
    isDualStack: boolean
    server: Server
  }[] = []
  readonly #connections = new Map<string, SipConnection>()
  readonly #connecting = new Map<string, Promise<SipConnection>>()
  readonly #perSource = new Map<string, number>()
  readonly #closing = new AbortController()
  /** Accepts an HTTP request at `/sip` that asks for a WebSocket. */
  readonly upgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => void
  #serial = 0

  constructor(options: TransportOptions, events: TransportEvents) {
    this.#options = options
    this.#events = events
    const rate = {
      perSecond: SIP_LIMITS.unknownSourceMessagesPerSecond,
      burst: SIP_LIMITS.unknownSourceMessagesBurst,
      sourcesMax: SIP_LIMITS.unknownSourcesMax,
    }
    this.#limit = new SourceLimit(options.clock, rate, (source) =>
      options.onRefusal?.({ why: 'too_many_messages', source }),
    )
    this.upgrade = acceptWebSockets({
      hasRoomFor: ({ socket }) => this.#hasRoomFor(remoteOf(socket)?.address),
      accept: (socket, request) => this.#acceptWebSocket(socket, request),
    })
  }

  async listen(at: ListenAt): Promise<TransportAddress> {
    const { protocol, host, port, ipv6Only = false } = at
    const { tls } = this.#options
    if (protocol === 'udp') {
      const udp = await openUdp({
        host,
        port,
        ipv6Only,
        ownAddress: this.#ownAddress,
        sent: this.#sent,
        receive: (bytes, flow) => this.#receive(bytes, flow),
      })
      this.#udp.push(udp)
      return udp.local
    }
    const accept = (socket: Socket) => this.#acceptStream(protocol, socket)
    const opened = await openStreamServer({ protocol, host, port, ipv6Only, tls, accept })
    this.#servers.push({ protocol, isDualStack: host === '::' && !ipv6Only, ...opened })
    return opened.local
  }

  /** The families in which a peer that we contact by this protocol can reach us too. */
  families(protocol: Protocol): Set<Family> {
    const datagrams = this.#udp.map(({ local }) => family(local.address))
    if (protocol === 'udp') return new Set(datagrams)
    const streams = this.#servers.flatMap(({ local, isDualStack }) =>
      isDualStack ? ([4, 6] as const) : [family(local.address)],
    )
    return new Set([...datagrams, ...streams])
  }

  /** A flow to a peer, over an existing connection or a new one. */
  async flowTo(target: TransportTarget): Promise<Flow> {
    const { protocol } = target
    if (protocol === 'udp') return this.#udpFlowTo(target)
    const key = connectionKey(protocol, target)
    const open = this.#connections.get(key) ?? this.#connecting.get(key)
    if (open) return open
    if (protocol === 'ws' || protocol === 'wss') throw new Error('a WebSocket can only be opened by its peer')
    const connecting = this.#connect(protocol, target).finally(() => this.#connecting.delete(key))
    this.#connecting.set(key, connecting)
    return connecting
  }

  /** An open connection, by its id. */
  openFlow(id: string): Flow | undefined {
    const connection = this.#connections.get(id.slice(0, id.lastIndexOf('#')))
    return connection?.id === id ? connection : undefined
  }

  /** Closes a connection, by its id, if it is still open. */
  closeFlow(id: string): void {
    const connection = this.#connections.get(id.slice(0, id.lastIndexOf('#')))
    if (connection?.id === id) connection.close()
  }

  async close(): Promise<void> {
    this.#closing.abort()
    for (const connection of this.#connections.values()) connection.close()
    const closing = this.#servers.map(({ server }) => new Promise((resolve) => server.close(resolve)))
    await Promise.all([...closing, ...this.#udp.map((socket) => socket.close())])
  }

  #udpFlowTo(remote: TransportAddress): Flow {
    const version = family(remote.address)
    const socket = this.#udp.find(({ local }) => family(local.address) === version)
    if (!socket) throw new Error(`no UDP socket for IPv${version}`)
    return socket.flowTo({ address: remote.address, port: remote.port })
  }

  async #connect(protocol: StreamProtocol, target: TransportTarget): Promise<SipConnection> {
    const timeout = new AbortController()
    const stop = this.#options.clock.after(SIP_LIMITS.connectMs, () => timeout.abort())
    const signal = AbortSignal.any([timeout.signal, this.#closing.signal])
    try {
      const { tls } = this.#options
      const socket = await connectStream(protocol, target, { serverName: target.serverName, tls, signal })
      const connection = attachStream(
        socket,
        (wire) => this.#open(protocol, target, localOf(socket), wire),
        (bytes, flow) => this.#receive(bytes, flow),
      )
      connection.keepAlive()
      return connection
    } finally {
      stop()
    }
  }

  #acceptStream(protocol: StreamProtocol, socket: Socket): void {
    const remote = remoteOf(socket)
    if (!remote || !this.#hasRoomFor(remote.address)) {
      socket.destroy()
      return
    }
    const connection = attachStream(
      socket,
      (wire) => this.#open(protocol, remote, localOf(socket), wire),
      (bytes, flow) => this.#receive(bytes, flow),
    )
    connection.expectFirstMessage()
  }

  #acceptWebSocket(socket: WebSocket, request: IncomingMessage): void {
    const remote = remoteOf(request.socket)
    if (!remote) return socket.terminate()
    const protocol = 'encrypted' in request.socket ? 'wss' : 'ws'
    const connection = attachWebSocket(
      socket,
      (wire) => this.#open(protocol, remote, localOf(request.socket), wire),
      (bytes, flow) => this.#receive(bytes, flow),
    )
    connection.expectFirstMessage()
  }

  #hasRoomFor(address: string | undefined): boolean {
    if (address === undefined) return false
    if (this.#isProxy(address)) return this.#connections.size < SIP_LIMITS.connectionsMax
    const admission = this.#options.admit(address)
    if (admission === 'blocked') return false
    const ofSource = this.#perSource.get(sourceOf(address)) ?? 0
    const hasRoom =
      this.#connections.size < SIP_LIMITS.connectionsMax &&
      // A whole office may share the address of a registered device.
      (admission === 'free' || ofSource < SIP_LIMITS.connectionsPerSourceMax)
    if (!hasRoom) this.#options.onRefusal?.({ why: 'too_many_connections', source: address })
    return hasRoom
  }

  #open(
    protocol: Protocol,
    remote: TransportAddress,
    local: TransportAddress,
    wire: ConnectionSocket,
  ): SipConnection {
    const { address, port } = remote
    const key = connectionKey(protocol, remote)
    const source = sourceOf(address)
    const server = this.#servers.find((each) => each.protocol === protocol)
    const host = this.#ownAddress(local.address, address)
    const about = {
      id: `${key}#${++this.#serial}`,
      protocol,
      remote: { address, port },
      sentBy: { host, port: server?.local.port ?? local.port },
    }
    const closed = (flow: Flow) => {
      this.#connections.delete(key)
      const left = this.#perSource.get(source)! - 1
      if (left === 0) this.#perSource.delete(source)
      else this.#perSource.set(source, left)
      this.#events.closed(flow)
    }
    const connection = new SipConnection(about, wire, this.#options.clock, closed, this.#sent)
    this.#connections.set(key, connection)
    this.#perSource.set(source, (this.#perSource.get(source) ?? 0) + 1)
    return connection
  }

  /** A proxy is on our side of a NAT. */
  readonly #ownAddress = (local: string, remote: string): string =>
    ownAddress(local, remote, this.#isProxy(remote) ? [] : (this.#options.advertised ?? []))

  readonly #sent = (bytes: Buffer, flow: Flow): void => this.#options.onSent?.(bytes, flow)

  #receive(bytes: Buffer, flow: Flow): boolean {
    const { address } = flow.remote
    const isProxy = this.#isProxy(address)
    // Only this message is dropped: true means that the framing of the stream is intact.
    if (!isProxy && (this.#options.admit(address) === 'blocked' || this.#isTooMuch(address))) return true
    const enter = isProxy ? this.#throughProxy : directly
    const isRead = receiveMessage(bytes, flow, this.#events, enter)
    if (isRead && flow instanceof SipConnection) flow.gotFirstMessage()
    return isRead
  }

  #isProxy(address: string): boolean {
    return this.#options.isProxy?.(address) ?? false
  }

  #isTooMuch(address: string): boolean {
    return this.#options.admit(address) === 'limited' && !this.#limit.allows(sourceOf(address))
  }

  /** A blocked source beyond a proxy is not ignored here: the proxy is to learn of it. */
  readonly #throughProxy = (request: SipRequest, hop: Flow): Flow | undefined => {
    const flow = flowThroughProxy(request, hop)
    return flow.isProxied && this.#isTooMuch(flow.origin.remote.address) ? undefined : flow
  }
}

const directly = (_: SipRequest, flow: Flow) => flow

const connectionKey = (protocol: Protocol, remote: TransportAddress) =>
  `${protocol}:${printTransportAddress(remote)}`

function remoteOf({ remoteAddress, remotePort }: Socket): TransportAddress | undefined {
  if (remoteAddress === undefined || remotePort === undefined) return undefined
  return { address: plainAddress(remoteAddress), port: remotePort }
}

function localOf({ localAddress, localPort }: Socket): TransportAddress {
  return { address: plainAddress(localAddress ?? ''), port: localPort ?? 0 }
}
