import { isIPv6 } from 'node:net'

import { bracketed } from '../message/grammar/uri.ts'

export type Protocol = 'udp' | 'tcp' | 'tls' | 'ws' | 'wss'

/** `address` is a number, never a name, and never in brackets. */
export interface Endpoint {
  address: string
  port: number
}

/** The way to one peer: a connection, or for UDP a socket of ours and an address. */
export interface Flow {
  /** Names the flow for as long as it lives. */
  readonly id: string
  readonly protocol: Protocol
  /** Whether the transport itself sends again what is lost. */
  readonly reliable: boolean
  readonly remote: Endpoint
  /** How we call ourselves in Via and Contact on this flow. */
  readonly sentBy: { host: string; port: number }
  readonly isOpen: boolean
  /** `failed` is called when the bytes certainly did not leave. */
  send(bytes: Buffer, failed?: () => void): void
  /** Towards another port of the same peer: RFC 3581 makes UDP answers go elsewhere without `rport`. */
  towards(port: number): Flow
}

export const isReliable = (protocol: Protocol) => protocol !== 'udp'

export const defaultPort = (protocol: Protocol) => (protocol === 'tls' || protocol === 'wss' ? 5061 : 5060)

/** An IPv4 address that came over an IPv6 socket is still an IPv4 address. */
export function plainAddress(address: string): string {
  return address.startsWith('::ffff:') && address.includes('.') ? address.slice('::ffff:'.length) : address
}

const IPV6_GROUPS = 8
const IPV6_NETWORK_GROUPS = 4

/** Who counts as one source: an IPv4 address, or the /64 of an IPv6 address, all of which one machine may use. */
export function sourceOf(address: string): string {
  if (!isIPv6(address)) return address
  const [head, tail] = address.split('::').map((part) => (part === '' ? [] : part.split(':')))
  const zeros = Array<string>(IPV6_GROUPS).fill('0')
  return [...head!, ...(tail ? zeros.slice(head!.length + tail.length) : []), ...(tail ?? [])]
    .slice(0, IPV6_NETWORK_GROUPS)
    .join(':')
}

export const family = (address: string) => (isIPv6(address) ? 6 : 4)

export const printEndpoint = ({ address, port }: Endpoint) => `${bracketed(address)}:${port}`
