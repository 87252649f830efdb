import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** Below the ports that systems give to whoever asks for any, and below those of sound. */
const RANGE = { from: 10_000, portsOfProcess: 80, processes: 125 }

let turn = 0

/**
 * A port of 127.0.0.1 for a program that must be told which. It and the one above, which some programs take too, are free
 * for UDP and TCP, and are given to nobody else: a service can be started again where it was. Each process that runs
 * tests goes through ports of its own.
 */
export const freePort = (): Promise<number> => freePorts(2)

/** The first of so many in a row, and even. */
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
