import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** The addresses of a campaign. */
export const HOSTS = {
  postgres: 5,
  wire: 6,
  provider: 7,
  sink: 8,
  carrier: 9,
  phones: 10,
  front: 11,
  api: 20,
  edge: 30,
}

export interface Network {
  address(host: number): string
  /** The port of signalling, and of any other server: the same on all hosts, because each has its own address. */
  ports: { sip: number; service: number }
  close(): Promise<void>
}

/** Ports below the ephemeral ones, and below those of media. */
const LIMITS = { tries: 20, lockHost: 254, portMin: 10_000, portMax: 19_998 }

/**
 * A part of the loopback network (127.x.y.0/24) for one campaign only: its processes keep their ports when they are
 * restarted, and several campaigns can run side by side, and beside programs that listen on all addresses.
 */
export async function claimNetwork(): Promise<Network> {
  for (let tried = 0; tried < LIMITS.tries; tried++) {
    const [x, y] = [whole(16, 215), whole(0, 254)]
    const service = whole(LIMITS.portMin, LIMITS.portMax)
    const ports = { service, sip: service + 1 }
    const address = (host: number) => `127.${x}.${y}.${host}`
    const lockHost = address(LIMITS.lockHost)
    const lock = await claim(lockHost, ports.service)
    if (lock && (await isFree(lockHost, ports.sip))) return { address, ports, close: lock }
    await lock?.()
  }
  throw new Error('no part of the loopback network is free: the campaign needs Linux')
}

const whole = (min: number, max: number) => min + Math.floor(Math.random() * (max - min + 1))

/** Undefined if the port is in use; otherwise a function that releases it. */
async function claim(host: string, port: number): Promise<(() => Promise<void>) | undefined> {
  const server = createServer().listen(port, host)
  try {
    await once(server, 'listening')
  } catch {
    return undefined
  }
  return () => new Promise((resolve) => void server.close(() => resolve()))
}

/** For both kinds of sockets that signalling uses. */
async function isFree(host: string, port: number): Promise<boolean> {
  const giveBack = await claim(host, port)
  if (!giveBack) return false
  await giveBack()
  const socket = createSocket('udp4').bind(port, host)
  try {
    await once(socket, 'listening')
    return true
  } catch {
    return false
  } finally {
    socket.close()
  }
}
