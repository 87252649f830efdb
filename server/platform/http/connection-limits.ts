import type { Server } from 'node:http'
import { BlockList, isIPv6, type Socket } from 'node:net'

import type { Clock } from '../clock.ts'
import { AppError } from '../errors.ts'
import type { Log } from '../log.ts'
import { networkOf } from '../net/network-of.ts'
import { responseOf } from './socket-reply.ts'

export interface ConnectionLimits {
  /** Open connections, WebSockets among them. */
  total: number
  /** Of them, those of one address. Of a trusted proxy, which speaks for many, as many as there may be at all. */
  perAddress: number
}

/** Whoever was refused has so long to read why; beyond so many at once, they are told nothing. */
const REFUSED = { readMs: 1_000, atOnceMax: 100, logMs: 60_000 }

/** How often Node looks for requests that take too long to arrive. */
const CHECK_MS = 1_000

interface Options {
  limits: ConnectionLimits
  trustedProxies: string[]
  /** What every answer of this server carries. */
  standing?: Record<string, string>
  clock: Clock
  log: Log
}

const tooManyConnections = new AppError({
  status: 503,
  code: 'too_many_connections',
  message: 'There are too many open connections. Close some of them, or try again later.',
  headers: { 'retry-after': '10' },
})

/** What `createServer` needs to know to cut off who sends a request, headers or body, too slowly. */
export const receivingWithin = (ms: number) => ({
  headersTimeout: ms,
  requestTimeout: ms,
  connectionsCheckingInterval: Math.min(ms, CHECK_MS),
})

/** Refuses connections beyond the limits, with an answer that says so. */
export function limitConnections(server: Server, options: Options): void {
  const { limits, trustedProxies } = options
  const accept = takeOver(server)
  const isProxy = addressesOf(trustedProxies)
  const perNetwork = new Map<string, number>()
  const refuse = refusals(options)
  let total = 0

  server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress ?? ''
    const network = networkOf(address)
    const ofNetwork = perNetwork.get(network) ?? 0
    if (total >= limits.total) return refuse(socket, 'in all')
    if (ofNetwork >= limits.perAddress && !isProxy(address)) return refuse(socket, 'of one address')
    total++
    perNetwork.set(network, ofNetwork + 1)
    socket.once('close', () => {
      total--
      const left = perNetwork.get(network)! - 1
      if (left > 0) perNetwork.set(network, left)
      else perNetwork.delete(network)
    })
    accept(socket)
  })
}

/** What the server itself does with a connection: it must not see one that is refused. */
function takeOver(server: Server): (socket: Socket) => void {
  const listeners = server.listeners('connection') as ((this: Server, socket: Socket) => void)[]
  server.removeAllListeners('connection')
  return (socket) => {
    for (const listener of listeners) listener.call(server, socket)
  }
}

function refusals({ standing = {}, clock, log }: Options): (socket: Socket, which: string) => void {
  const response = responseOf(tooManyConnections, standing)
  let beingTold = 0
  let loggedAt = Number.NEGATIVE_INFINITY
  return (socket, which) => {
    const now = clock.now().getTime()
    if (now - loggedAt >= REFUSED.logMs) {
      loggedAt = now
      log.warn({ which }, 'connections are refused: there are too many')
    }
    socket.on('error', () => {})
    if (beingTold >= REFUSED.atOnceMax) {
      socket.destroy()
      return
    }
    beingTold++
    // What was sent is read to its end: if it were not, the answer would be lost with the connection.
    socket.resume().end(response)
    const callOff = clock.after(REFUSED.readMs, () => socket.destroy())
    socket.once('close', () => {
      beingTold--
      callOff()
    })
  }
}

/** As TRUSTED_PROXIES names them. */
function addressesOf(listed: string[]): (address: string) => boolean {
  const list = new BlockList()
  for (const entry of listed.flatMap((each) => (each === 'loopback' ? ['127.0.0.0/8', '::1'] : [each]))) {
    const [address, bits] = entry.split('/') as [string, string?]
    const family = isIPv6(address) ? 'ipv6' : 'ipv4'
    if (bits === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(bits), family)
  }
  return (address) => address !== '' && list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')
}
