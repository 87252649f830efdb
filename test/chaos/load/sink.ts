import { createServer } from 'node:http'

import { HOSTS, type Network } from '../environment/network.ts'

/** One in this many is refused at first: then it must be retried. */
const REFUSED_ONE_IN = 40

/** The webhook endpoint. */
export interface Sink {
  url: string
  /** Ids of deliveries that were acknowledged and not compared yet. */
  received: Set<string>
  /** How many were acknowledged before, and came again. */
  repeats(): number
  /** All requests, repeats included. */
  requests(): number
  close(): Promise<void>
}

export async function openSink(network: Network): Promise<Sink> {
  const received = new Set<string>()
  const refused = new Set<string>()
  const acknowledged = new Set<string>()
  let [requests, repeats] = [0, 0]
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      requests++
      const id = String(request.headers['webhook-id'])
      if (isUnlucky(id) && !refused.has(id)) {
        refused.add(id)
        return response.writeHead(503).end()
      }
      if (acknowledged.has(id)) repeats++
      acknowledged.add(id)
      received.add(id)
      response.writeHead(204).end()
    })
  })
  const [host, port] = [network.address(HOSTS.sink), network.ports.service]
  await new Promise<void>((resolve) => server.listen(port, host, resolve))
  return {
    url: `http://${host}:${port}/hook`,
    received,
    requests: () => requests,
    repeats: () => repeats,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** Ids end with random bits. */
const isUnlucky = (id: string) => parseInt(id.slice(-4), 32) % REFUSED_ONE_IN === 0
