import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { isIPv6 } from 'node:net'

import { MEDIA_LIMITS } from '../../limits.ts'
import { MediaFailed } from '../../port.ts'

/** The range of UDP ports for media, inclusive. */
export interface PortRange {
  from: number
  to: number
}

/** RTP on an even port and RTCP on the next one (RFC 3550 §11). */
export interface SocketPair {
  port: number
  rtp: Socket
  rtcp: Socket
}

export interface PortPool {
  openPair(): Promise<SocketPair>
  /** Ports, not pairs. */
  usage(): { inUse: number; total: number }
}

/** Takes ports in turn, so that each rests before its next call; ports in use are skipped. */
export function createPortPool(host: string, { from, to }: PortRange, start = 0): PortPool {
  const first = from + (from % 2)
  const pairs = Math.floor((to - first + 1) / 2)
  let turn = start
  let open = 0
  const count = (socket: Socket) => {
    open++
    socket.once('close', () => open--)
  }
  return {
    usage: () => ({ inUse: open, total: pairs * 2 }),
    async openPair() {
      for (let tries = 0; tries < pairs; tries++) {
        const port = first + (turn++ % pairs) * 2
        const rtp = await openSocket(host, port)
        if (!rtp) continue
        const rtcp = await openSocket(host, port + 1)
        if (rtcp) {
          count(rtp)
          count(rtcp)
          return { port, rtp, rtcp }
        }
        rtp.close()
      }
      throw new MediaFailed('no_ports', `All media ports from ${from} to ${to} are in use.`)
    },
  }
}

/** Undefined if the port is in use. */
export async function openSocket(host: string, port: number): Promise<Socket | undefined> {
  // We send to IP addresses only; the default lookup would cost an event-loop turn for each packet.
  const family = isIPv6(host) ? 6 : 4
  const socket = createSocket({
    type: family === 6 ? 'udp6' : 'udp4',
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
