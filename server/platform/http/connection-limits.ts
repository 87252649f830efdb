import type { Server } from 'node:http'
import { BlockList, isIPv6, type Socket } from 'node:net'

import type { Dependencies } from '../dependencies.ts'
import { AppError } from '../errors.ts'
import { networkOf } from '../net/client-network.ts'
import { responseOf } from './socket-reply.ts'

export interface ConnectionLimits {
  /** Open connections, including WebSockets. */
  total: number
  /** From one address. A trusted proxy, which acts for many clients, is limited by the total only. */
  perAddress: number
}

/** A refused client has this long to read the response; with too many of them at once, there is none. */
const REFUSED = { readMs: 1_000, atOnceMax: 100, logMs: 60_000 }

/** How often Node checks for requests that take too long to arrive. */
const CHECK_MS = 1_000

interface Options extends Dependencies<'clock' | 'log'> {
  limits: ConnectionLimits
  trustedProxies: string[]
  /** Header fields of every response of this server. */
  standing?: Record<string, string>
}

const tooManyConnections = new AppError({
  status: 503,
  code: 'too_many_connections',
  message: 'There are too many open connections. Close some of them, or try again later.',
  headers: { 'retry-after': '10' },
})

/** Options of `createServer` that abort requests whose headers or body arrive too slowly. */
export const receivingWithin = (ms: number) => ({
  headersTimeout: ms,
  requestTimeout: ms,
  connectionsCheckingInterval: Math.min(ms, CHECK_MS),
})

/** Refuses connections beyond the limits with a response that says so. */
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

/** Replaces the server's own connection handler, which must not see refused connections. */
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
      log.warn({ which }, 'too many connections; new ones are refused')
    }
    socket.on('error', () => {})
    if (beingTold >= REFUSED.atOnceMax) {
      socket.destroy()
      return
    }
    beingTold++
    // The request is read to its end; otherwise the response would be lost with the connection.
    socket.resume().end(response)
    const callOff = clock.after(REFUSED.readMs, () => socket.destroy())
    socket.once('close', () => {
      beingTold--
      callOff()
    })
  }
}

/** Matches addresses as listed in TRUSTED_PROXIES. */
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
