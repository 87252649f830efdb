import { createServer, type Server } from 'node:net'

/** Who is where in the network of a campaign. */
export const HOSTS = { postgres: 5, wire: 6, provider: 7, sink: 8, carrier: 9, phones: 10, api: 20, edge: 30 }

export interface Network {
  address(host: number): string
  close(): Promise<void>
}

const LIMITS = { tries: 20, lockHost: 254, lockPort: 4_999 }

/**
 * A part of the loopback network (127.x.y.0/24) for one campaign alone: its processes keep their ports when they are
 * started again, and still several campaigns can run side by side.
 */
export async function claimNetwork(): Promise<Network> {
  for (let tried = 0; tried < LIMITS.tries; tried++) {
    const [x, y] = [16 + Math.floor(Math.random() * 200), Math.floor(Math.random() * 255)]
    const address = (host: number) => `127.${x}.${y}.${host}`
    const lock = await listen(address(LIMITS.lockHost))
    if (lock) return { address, close: () => new Promise((resolve) => void lock.close(() => resolve())) }
  }
  throw new Error('no part of the loopback network is free: the campaign needs Linux')
}

function listen(host: string): Promise<Server | undefined> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(undefined))
    server.listen(LIMITS.lockPort, host, () => resolve(server))
  })
}
