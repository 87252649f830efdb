import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'

import type { FastifyInstance } from 'fastify'

import { isWebSocketUpgrade, pathOf } from './request/upgrades.ts'

const SIP_PATH = '/sip'

/** Takes over the connection of a softphone. */
export type AcceptSipWebSocket = (request: IncomingMessage, socket: Duplex, head: Buffer) => void

export const isSipUpgrade = (request: IncomingMessage) =>
  pathOf(request) === SIP_PATH && isWebSocketUpgrade(request)

/** Passes the WebSockets of softphones to the edge in this process. */
export function serveSipWebSockets(app: FastifyInstance, receive: AcceptSipWebSocket): void {
  app.server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    if (pathOf(request) === SIP_PATH) receive(request, socket, head)
  })
}
