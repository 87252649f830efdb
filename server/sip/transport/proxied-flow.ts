import { isIP } from 'node:net'

import { unbracketed } from '../message/grammar/uri.ts'
import { parseVia } from '../message/grammar/via.ts'
import type { SipRequest } from '../message/message.ts'
import { defaultPort, type Flow, type FlowOrigin, isProtocol } from './flow.ts'

/** A flow through a trusted proxy: what we send goes to the proxy, and the peer is beyond it. */
export class ProxiedFlow implements Flow {
  readonly isProxied = true
  readonly origin: FlowOrigin
  readonly #hop: Flow

  constructor(hop: Flow, origin: FlowOrigin) {
    this.#hop = hop
    this.origin = origin
  }

  get id() {
    return this.#hop.id
  }

  get protocol() {
    return this.#hop.protocol
  }

  get reliable() {
    return this.#hop.reliable
  }

  get remote() {
    return this.#hop.remote
  }

  get sentBy() {
    return this.#hop.sentBy
  }

  get isOpen() {
    return this.#hop.isOpen
  }

  send(bytes: Buffer, failed?: () => void): void {
    this.#hop.send(bytes, failed)
  }

  towards(port: number): Flow {
    return new ProxiedFlow(this.#hop.towards(port), this.origin)
  }
}

/**
 * RFC 3261 §18.2.1: a proxy writes where a request came from into the Via of its sender, which is the one below its
 * own. A request without one is of the proxy itself.
 */
export function flowThroughProxy(request: SipRequest, hop: Flow): Flow {
  const [, below] = request.headers.list('via') ?? []
  const via = below === undefined ? undefined : parseVia(below)
  const protocol = via?.transport.toLowerCase()
  const address = via && unbracketed(via.params.get('received') ?? via.host)
  if (!via || !isProtocol(protocol) || !isIP(address!)) return hop
  const port = Number(via.params.get('rport')) || (via.port ?? defaultPort(protocol))
  return new ProxiedFlow(hop, { protocol, remote: { address: address!, port } })
}
