import { type Socket, createSocket } from 'node:dgram'
import { once } from 'node:events'

import { SIP_LIMITS } from '../limits.ts'
import {
  family,
  type Flow,
  type FlowOrigin,
  plainAddress,
  printTransportAddress,
  type TransportAddress,
} from './flow.ts'

/** Shorter datagrams are keep-alives, which some phones send. */
const MESSAGE_BYTES_MIN = 16

export interface UdpSocket {
  readonly local: TransportAddress
  flowTo(remote: TransportAddress): Flow
  close(): Promise<void>
}

export async function openUdp(options: {
  host: string
  port: number
  ipv6Only: boolean
  /** Ours, as a peer at the remote address reaches it. */
  ownAddress: (local: string, remote: string) => string
  receive: (bytes: Buffer, flow: Flow) => void
  sent: (bytes: Buffer, flow: Flow) => void
}): Promise<UdpSocket> {
  const version = family(options.host)
  const socket = createSocket({
    ...(version === 6 ? { type: 'udp6', ipv6Only: options.ipv6Only } : { type: 'udp4' }),
    // We send to IP addresses only; the default lookup would cost a turn of the event loop for each message.
    lookup: (address, _options, found) => found(null, address, version),
  })
  const listening = once(socket, 'listening')
  socket.bind(options.port, options.host)
  await listening
  // The system may grant less; then bursts are lost earlier and retransmitted.
  socket.setRecvBufferSize(SIP_LIMITS.udpReceiveBufferBytes)
  // A peer that is gone causes an ICMP error; its transaction times out by itself.
  socket.on('error', () => {})
  const local = socket.address()
  const flowTo = (remote: TransportAddress) => new UdpFlow(socket, local, remote, options)
  socket.on('message', (bytes, { address, port }) => {
    if (bytes.length >= MESSAGE_BYTES_MIN)
      options.receive(bytes, flowTo({ address: plainAddress(address), port }))
  })
  let closing: Promise<void> | undefined
  return {
    local,
    flowTo,
    close: () =>
      (closing ??= new Promise((resolve) => {
        socket.close(() => resolve())
      })),
  }
}

interface UdpFlowOptions {
  ownAddress: (local: string, remote: string) => string
  sent: (bytes: Buffer, flow: Flow) => void
}

class UdpFlow implements Flow {
  readonly protocol = 'udp'
  readonly reliable = false
  readonly isOpen = true
  readonly isProxied = false
  readonly remote: TransportAddress
  readonly #socket: Socket
  readonly #local: TransportAddress
  readonly #options: UdpFlowOptions

  constructor(socket: Socket, local: TransportAddress, remote: TransportAddress, options: UdpFlowOptions) {
    this.#socket = socket
    this.#local = local
    this.remote = remote
    this.#options = options
  }

  get id(): string {
    return `udp:${printTransportAddress(this.#local)}-${printTransportAddress(this.remote)}`
  }

  get origin(): FlowOrigin {
    return this
  }

  get sentBy(): { host: string; port: number } {
    const host = this.#options.ownAddress(this.#local.address, this.remote.address)
    return { host, port: this.#local.port }
  }

  send(bytes: Buffer, failed?: () => void): void {
    this.#options.sent(bytes, this)
    try {
      this.#socket.send(bytes, this.remote.port, this.remote.address, (error) => {
        if (error) failed?.()
      })
    } catch {
      // A closed socket and port 0 both throw at once.
      failed?.()
    }
  }

  towards(port: number): Flow {
    return new UdpFlow(this.#socket, this.#local, { ...this.remote, port }, this.#options)
  }
}
