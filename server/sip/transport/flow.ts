import { bracketed } from '../message/grammar/uri.ts'

export type Protocol = 'udp' | 'tcp' | 'tls' | 'ws' | 'wss'

/** `address` is an IP address, never a name, and never in brackets. */
export interface TransportAddress {
  address: string
  port: number
}

/** Where a peer is, and how it speaks to us or to the proxy between. */
export interface FlowOrigin {
  readonly protocol: Protocol
  readonly remote: TransportAddress
}

/** A flow (RFC 5626): a connection, or for UDP one of our sockets and the peer's address. */
export interface Flow {
  /** Unique for the lifetime of the flow. */
  readonly id: string
  readonly protocol: Protocol
  /** Whether the transport retransmits by itself. */
  readonly reliable: boolean
  readonly remote: TransportAddress
  /** Where the peer itself is: beyond a trusted proxy, that is not the next hop. */
  readonly origin: FlowOrigin
  /** Whether a trusted proxy is between. */
  readonly isProxied: boolean
  /** Our address in Via and Contact on this flow. */
  readonly sentBy: { host: string; port: number }
  readonly isOpen: boolean
  /** `failed` is called if the bytes were certainly not sent. */
  send(bytes: Buffer, failed?: () => void): void
  /** To another port of the same peer: without `rport`, UDP responses go to the port of the Via. */
  towards(port: number): Flow
}

export const isProtocol = (text: string | undefined): text is Protocol =>
  text !== undefined && ['udp', 'tcp', 'tls', 'ws', 'wss'].includes(text)

export const isReliable = (protocol: Protocol) => protocol !== 'udp'

export const isEncrypted = (protocol: Protocol) => protocol === 'tls' || protocol === 'wss'

/** RFC 7118: a peer behind a WebSocket responds over that one, or not at all. */
export const isOnlyConnection = (protocol: Protocol) => protocol === 'ws' || protocol === 'wss'

export const defaultPort = (protocol: Protocol) => (isEncrypted(protocol) ? 5061 : 5060)

/** An IPv4 address on an IPv6 socket is still an IPv4 address. */
export function plainAddress(address: string): string {
  return address.startsWith('::ffff:') && address.includes('.') ? address.slice('::ffff:'.length) : address
}

const IPV6_GROUPS = 8
const IPV6_NETWORK_GROUPS = 4

/** What counts as one source: an IPv4 address, or the /64 of an IPv6 address, all of which one host may use. */
export function sourceOf(address: string): string {
  if (family(address) === 4) return address
  const [head, tail] = address.split('::').map((part) => (part === '' ? [] : part.split(':')))
  const zeros = Array<string>(IPV6_GROUPS).fill('0')
  return [...head!, ...(tail ? zeros.slice(head!.length + tail.length) : []), ...(tail ?? [])]
    .slice(0, IPV6_NETWORK_GROUPS)
    .join(':')
}

/** The version of IP. */
export type Family = 4 | 6

/** Of an IP address. */
export const family = (address: string): Family => (address.includes(':') ? 6 : 4)

export const printTransportAddress = ({ address, port }: TransportAddress) => `${bracketed(address)}:${port}`
