import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { isIPv6 } from 'node:net'

import { MEDIA_LIMITS } from '../../limits.ts'
import { type IpFamily, MediaFailed } from '../../port.ts'

/** Where media is received. */
export interface MediaAddress {
  /** The address to listen on. */
  host: string
  /** The public address, if it differs. */
  advertised?: string
}

/** The range of UDP ports for media, inclusive. */
export interface PortRange {
  from: number
  to: number
}

/** RTP on an even port and RTCP on the next one (RFC 3550 §11). */
export interface SocketPair {
  family: IpFamily
  /** Our address in SDP. */
  address: string
  port: number
  rtp: Socket
  rtcp: Socket
}

export interface PortPool {
  /** Those that can be had, the default first. */
  families: IpFamily[]
  /** Of a family that we do not have, the default instead. */
  openPair(family?: IpFamily): Promise<SocketPair>
  /** Ports, not pairs. */
  usage(): { inUse: number; total: number }
}

/** Takes ports in turn, so that each rests before its next call; ports in use, in either family, are skipped. */
export function createPortPool(addresses: MediaAddress[], { from, to }: PortRange, start = 0): PortPool {
  const first = from + (from % 2)
  const pairs = Math.floor((to - first + 1) / 2)
  let turn = start
  const open = new Set<number>()
  const ipv6Only = addresses.length > 1
  const count = (port: number, socket: Socket) => {
    open.add(port)
    socket.once('close', () => open.delete(port))
  }
  return {
    families: addresses.map(({ host }) => familyOf(host)),
    usage: () => ({ inUse: open.size, total: pairs * 2 }),
    async openPair(family) {
      const at = addresses.find(({ host }) => familyOf(host) === family) ?? addresses[0]!
      const { host, advertised: address = host } = at
      for (let tries = 0; tries < pairs; tries++) {
        const port = first + (turn++ % pairs) * 2
        const rtp = open.has(port) ? undefined : await openSocket(host, port, ipv6Only)
        if (!rtp) continue
        const rtcp = open.has(port + 1) ? undefined : await openSocket(host, port + 1, ipv6Only)
        if (rtcp) {
          count(port, rtp)
          count(port + 1, rtcp)
          return { family: familyOf(host), address, port, rtp, rtcp }
        }
        rtp.close()
      }
      throw new MediaFailed('no_ports', `All media ports from ${from} to ${to} are in use.`)
    },
  }
}

export const familyOf = (address: string): IpFamily => (isIPv6(address) ? 6 : 4)

/** Undefined if the port is in use. */
export async function openSocket(host: string, port: number, ipv6Only = false): Promise<Socket | undefined> {
  // We send to IP addresses only; the default lookup would cost an event-loop turn for each packet.
  const family = familyOf(host)
  const socket = createSocket({
    ...(family === 6 ? { type: 'udp6', ipv6Only } : { type: 'udp4' }),
    lookup: (address, _options, found) => found(null, address, family),
  })
  try {
    const listening = once(socket, 'listening')
    socket.bind(port, host)
    await listening
  } catch (error) {
    socket.close()
    if (['EADDRINUSE', 'EACCES'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined
    throw error
  }
  socket.setRecvBufferSize(MEDIA_LIMITS.receiveBufferBytes)
  return socket
}
