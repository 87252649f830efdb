import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** Below the ephemeral ports and the ports of media, and above 10,080, the last of those that `fetch` refuses. */
const RANGE = { from: 10_100, portsOfProcess: 80, processes: 123 }

let turn = 0

/**
 * A port of 127.0.0.1 for a program that cannot choose one itself. It and the next one, which some programs use too,
 * are free for UDP and TCP and are never handed out again, so a service can be restarted on its port. Each process that
 * runs tests has its own range.
 */
export const freePort = (): Promise<number> => freePorts(2)

/** The first of `count` consecutive ports; it is even. */
export async function freePorts(count: number): Promise<number> {
  const first = RANGE.from + (process.pid % RANGE.processes) * RANGE.portsOfProcess
  for (let tries = 0; tries < RANGE.portsOfProcess; tries += count) {
    if (turn + count > RANGE.portsOfProcess) turn = 0
    const row = Array.from({ length: count }, (_, i) => first + turn + i)
    turn += count + (count % 2)
    const free = await Promise.all(row.map(isFree))
    if (free.every(Boolean)) return row[0]!
  }
  throw new Error(`all ports from ${first} to ${first + RANGE.portsOfProcess - 1} are taken`)
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer()
  const socket = createSocket('udp4')
  try {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    socket.bind(port, '127.0.0.1')
    await once(socket, 'listening')
    return true
  } catch {
    return false
  } finally {
    server.close()
    socket.close()
  }
}
