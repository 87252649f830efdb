import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'

import type { FastifyInstance } from 'fastify'

import { asksForWebSocket, pathOf } from './request/upgrades.ts'

const SIP_PATH = '/sip'

/** Takes over the connection of a browser that is a phone. */
export type ReceivePhone = (request: IncomingMessage, socket: Duplex, head: Buffer) => void

export const asksForPhone = (request: IncomingMessage) =>
  pathOf(request) === SIP_PATH && asksForWebSocket(request)

/** Hands over the WebSockets of browsers that are phones to the edge in this process. */
export function servePhones(app: FastifyInstance, receive: ReceivePhone): void {
  app.server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    if (pathOf(request) === SIP_PATH) receive(request, socket, head)
  })
}
