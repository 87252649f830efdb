import { createSocket } from 'node:dgram'
import { once } from 'node:events'

import { OperatorError } from '../../platform/errors.ts'
import type { UserAgent } from '../../sip/index.ts'
import { ownAddress } from '../../sip/transport/own-address.ts'

/** Where this edge listens for SIP. */
export interface SipListenOptions {
  host: string
  /** For UDP and TCP; 0 means any free port. */
  port: number
  /** The public address, if it differs from our own. */
  advertised?: string
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
    const port = place.port === 0 ? await freePort(place.host) : place.port
    const ua = createAgent()
    try {
      return await listenAt(ua, place, port)
    } catch (error) {
      await ua.close()
      if (place.port !== 0 || attempt === ATTEMPTS) throw whyNotListening(error, place)
    }
  }
}

async function listenAt(ua: UserAgent, { host, tls }: SipListenOptions, port: number): Promise<Bound> {
  const [, , secure] = await ua.listen(
    { protocol: 'udp', host, port },
    { protocol: 'tcp', host, port },
    ...(tls ? [{ protocol: 'tls' as const, host, port: tls.port }] : []),
  )
  return { ua, port, tlsPort: secure?.port }
}

async function freePort(host: string): Promise<number> {
  const socket = createSocket(host.includes(':') ? 'udp6' : 'udp4').bind(0, host)
  await once(socket, 'listening')
  const { port } = socket.address()
  await new Promise<void>((resolve) => {
    socket.close(resolve)
  })
  return port
}

function whyNotListening(error: unknown, { host, port, tls }: SipListenOptions): unknown {
  const { code, port: failed } = error as NodeJS.ErrnoException & { port?: number }
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

/** Any remote host (RFC 5737). */
const SOMEWHERE = '192.0.2.1'

/** The address under which other edges of the same network reach this one. */
export const internalHost = (host: string) => ownAddress(host, SOMEWHERE, undefined).replace(/^\[|\]$/g, '')

/** The media address in SDP: an edge that listens on all interfaces must still name one. */
export const mediaAddress = ({ host, advertised }: Pick<SipListenOptions, 'host' | 'advertised'>) =>
  advertised ?? internalHost(host)
