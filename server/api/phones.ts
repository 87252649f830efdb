import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'

import type { FastifyInstance } from 'fastify'

import { asksForWebSocket, pathOf } from './request/upgrades.ts'

const SIP_PATH = '/sip'

/** Takes over the connection of a softphone. */
export type ReceivePhone = (request: IncomingMessage, socket: Duplex, head: Buffer) => void

export const asksForPhone = (request: IncomingMessage) =>
  pathOf(request) === SIP_PATH && asksForWebSocket(request)

/** Passes the WebSockets of softphones to the edge in this process. */
export function servePhones(app: FastifyInstance, receive: ReceivePhone): void {
  app.server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    if (pathOf(request) === SIP_PATH) receive(request, socket, head)
  })
}
