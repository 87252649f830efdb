import { createSocket } from 'node:dgram'
import { once } from 'node:events'

import { OperatorError } from '../../platform/errors.ts'
import { family, type UserAgent } from '../../sip/index.ts'
import { ownAddress } from '../../sip/transport/own-address.ts'

/** Where this edge listens for SIP. */
export interface SipListenOptions {
  /** At most one for each family; other edges use the first. */
  hosts: string[]
  /** For UDP and TCP; 0 means any free port. */
  port: number
  /** The public addresses, if they differ from our own: at most one for each family. */
  advertised: string[]
  /** Proxies through which phones and carriers reach us: addresses and networks. */
  proxies: string[]
  tls?: { key: Buffer; cert: Buffer; port: number }
}

interface Bound {
  ua: UserAgent
  port: number
  tlsPort: number | undefined
}

/** A port that is free for UDP may be taken for TCP: then another is tried. */
const ATTEMPTS = 5

export async function bindSipListeners(
  place: SipListenOptions,
  createAgent: () => UserAgent,
): Promise<Bound> {
  for (let attempt = 1; ; attempt++) {
    const port = place.port === 0 ? await freePort(place.hosts[0]!) : place.port
    const ua = createAgent()
    try {
      return await listenAt(ua, place, port)
    } catch (error) {
      await ua.close()
      const tryAnother = place.port === 0 && isTaken(error) && attempt < ATTEMPTS
      if (!tryAnother) throw whyNotListening(error, place)
    }
  }
}

async function listenAt(ua: UserAgent, { hosts, tls }: SipListenOptions, port: number): Promise<Bound> {
  // Both families have the same ports.
  const ipv6Only = hosts.length > 1
  const tlsPort = tls?.port === 0 && ipv6Only ? await freePort(hosts[0]!) : tls?.port
  const endpoints = await ua.listen(
    ...hosts.flatMap((host) => [
      { protocol: 'udp' as const, host, port, ipv6Only },
      { protocol: 'tcp' as const, host, port, ipv6Only },
      ...(tlsPort === undefined ? [] : [{ protocol: 'tls' as const, host, port: tlsPort, ipv6Only }]),
    ]),
  )
  return { ua, port, tlsPort: tlsPort === undefined ? undefined : endpoints.at(-1)!.port }
}

const isTaken = (error: unknown) => (error as NodeJS.ErrnoException).code === 'EADDRINUSE'

async function freePort(host: string): Promise<number> {
  const socket = createSocket(family(host) === 6 ? 'udp6' : 'udp4').bind(0, host)
  await once(socket, 'listening')
  const { port } = socket.address()
  await new Promise<void>((resolve) => {
    socket.close(resolve)
  })
  return port
}

function whyNotListening(error: unknown, { hosts, port, tls }: SipListenOptions): unknown {
  type Failure = NodeJS.ErrnoException & { port?: number; address?: string }
  const { code, port: failed, address: host = hosts.join() } = error as Failure
  const name = tls && failed === tls.port ? 'SIP_TLS_PORT' : 'SIP_PORT'
  switch (code) {
    case 'EADDRINUSE':
      return new OperatorError(
        `Port ${failed ?? port} of ${host} is already in use, perhaps by another SIP server: ` +
          `set ${name} to a free port, or to 0 for any.`,
        { cause: error },
      )
    case 'EACCES':
      return new OperatorError(
        `Port ${failed ?? port} is reserved for root: set ${name} to a port above 1023.`,
        {
          cause: error,
        },
      )
    case 'EAFNOSUPPORT':
      return new OperatorError('SIP_HOST has an IPv6 address, but this machine has no IPv6.', {
        cause: error,
      })
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new OperatorError(
        'SIP_HOST must be an address of this machine, such as 127.0.0.1, or 0.0.0.0 for all of them.',
        { cause: error },
      )
    default:
      return error
  }
}

/** Any remote host (RFC 5737, RFC 3849). */
const SOMEWHERE = { 4: '192.0.2.1', 6: '2001:db8::1' }

/** The address under which other edges of the same network reach this one. */
export const internalHost = (host: string) =>
  ownAddress(host, SOMEWHERE[family(host)], []).replace(/^\[|\]$/g, '')

/** The media address in SDP for each host: an edge that listens on all interfaces must still name one. */
export function mediaAddresses({ hosts, advertised }: Pick<SipListenOptions, 'hosts' | 'advertised'>) {
  return hosts.map((host) => {
    const outside = advertised.find((address) => hosts.length === 1 || family(address) === family(host))
    return { host, advertised: outside ?? internalHost(host) }
  })
}
