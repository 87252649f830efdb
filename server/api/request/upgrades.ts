import { IncomingMessage } from 'node:http'

/**
 * A request for an upgrade that we do not offer is served as if it had not asked (RFC 9110 §7.8): Java's client, for
 * one, offers h2c with every request. Node would pass all of them to the upgrade listener, with unread bodies; it
 * decides by this property.
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

export const isWebSocketUpgrade = ({ headers }: IncomingMessage) =>
  headers.upgrade?.toLowerCase() === 'websocket'

export const pathOf = ({ url = '' }: IncomingMessage) => url.split('?', 1)[0]
