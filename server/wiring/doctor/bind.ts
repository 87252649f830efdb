import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer } from 'node:net'

export type PortState = 'free' | 'used' | 'reserved' | 'not ours'

/** Whether somebody could listen there. */
export async function bindTcp(host: string, port: number, ipv6Only = false): Promise<PortState> {
  const server = createServer().listen({ port, host, ipv6Only })
  try {
    await once(server, 'listening')
    return 'free'
  } catch (error) {
    return stateOf(error)
  } finally {
    await new Promise((resolve) => server.close(resolve))
  }
}

export async function bindUdp(host: string, port: number, ipv6Only = false): Promise<PortState> {
  const socket = createSocket(host.includes(':') ? { type: 'udp6', ipv6Only } : { type: 'udp4' })
  try {
    socket.bind(port, host)
    await once(socket, 'listening')
    return 'free'
  } catch (error) {
    return stateOf(error)
  } finally {
    socket.close()
  }
}

function stateOf(error: unknown): PortState {
  switch ((error as NodeJS.ErrnoException).code) {
    case 'EADDRINUSE':
      return 'used'
    case 'EACCES':
      return 'reserved'
    case 'EADDRNOTAVAIL':
    case 'EAFNOSUPPORT':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return 'not ours'
    default:
      throw error
  }
}
