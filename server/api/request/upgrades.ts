import { IncomingMessage } from 'node:http'

/**
 * A request that asks for an upgrade we do not offer is served as if it had not asked (RFC 9110 §7.8): Java's client,
 * for one, asks for h2c with every request. Node would hand all of them over, bodies unread, once somebody listens
 * for upgrades; it decides by this property.
 */
export function onlyUpgrading(offered: (request: IncomingMessage) => boolean): typeof IncomingMessage {
  class Request extends IncomingMessage {
    declare asked: boolean | null
    get upgrade(): boolean {
      return this.asked === true && (this.method === 'CONNECT' || offered(this))
    }
    set upgrade(asked: boolean | null) {
      this.asked = asked
    }
  }
  return Request
}

export const asksForWebSocket = ({ headers }: IncomingMessage) =>
  headers.upgrade?.toLowerCase() === 'websocket'

export const pathOf = ({ url = '' }: IncomingMessage) => url.split('?', 1)[0]
