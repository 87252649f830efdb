import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'

import type { FastifyInstance } from 'fastify'
import { Counter, Gauge, type Registry } from 'prom-client'

import { followCompany, listenLive } from '../../live.ts'
import { API_KEY_DELETED_CHANNEL } from '../../modules/api-keys/index.ts'
import { ACCESS_TOKEN_DELETED_CHANNEL } from '../../modules/oauth/index.ts'
import { SESSION_ENDED_CHANNEL, type Sessions } from '../../modules/sign-in/index.ts'
import { inBackground } from '../../platform/background.ts'
import type { Dependencies } from '../../platform/dependencies.ts'
import type { DefaultHeaders } from '../reply/default-headers.ts'
import type { Authenticators } from '../request/authenticate.ts'
import { isWebSocketUpgrade, pathOf } from '../request/upgrades.ts'
import { createCable } from './cable.ts'
import { authenticateBy } from './credentials.ts'
import { originCheck, type Origins, ownPageCheck } from './origins.ts'
import { upgradeRequired } from './refusals.ts'

const CABLE_PATH = '/cable'

export type { Origins } from './origins.ts'

/** Whether the request is for the live channel. */
export const isLiveChannelUpgrade = (request: IncomingMessage) =>
  pathOf(request) === CABLE_PATH && isWebSocketUpgrade(request)

interface ServeCableOptions extends Dependencies<'pubsub' | 'clock' | 'log'> {
  credentials: Authenticators
  sessions: Sessions
  origins: Origins
  standing: DefaultHeaders
  metrics: Registry
}

/** Serves the live channel. */
export async function serveCable(app: FastifyInstance, options: ServeCableOptions): Promise<void> {
  const { credentials, sessions, pubsub, origins, standing, clock, log, metrics } = options
  const endings = new Counter({
    name: 'bellhop_cable_endings_total',
    help: 'Connections of the live channel that this side ended, by reason.',
    labelNames: ['reason'],
    registers: [metrics],
  })
  const cable = createCable({
    authenticate: authenticateBy({ ...credentials, sessions, isOwnPage: ownPageCheck(origins.baseUrl) }),
    mayConnectFrom: originCheck(origins),
    standing,
    follow: (companyId) => followCompany(pubsub, companyId),
    clock,
    log,
    onEnding: (reason) => endings.inc({ reason }),
  })
  const sockets: Gauge = new Gauge({
    name: 'bellhop_cable_sockets',
    help: 'Open connections of the live channel.',
    registers: [metrics],
    collect: () => sockets.set(cable.size()),
  })
  // After a gap a credential may have been revoked and a message lost. Only a new connection, after which clients
  // refetch everything, makes up for both.
  const onGap = () => cable.restart()
  for (const channel of [API_KEY_DELETED_CHANNEL, ACCESS_TOKEN_DELETED_CHANNEL, SESSION_ENDED_CHANNEL])
    await pubsub.subscribe(channel, { onMessage: (id) => cable.revoke(id), onGap })
  await listenLive(pubsub, { onMessage: (companyId, json) => cable.tell(companyId, json), onGap })

  app.server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    if (pathOf(request) !== CABLE_PATH) return
    inBackground(log, 'accept a client of the live channel', cable.receive(request, socket, head))
  })
  app.get(CABLE_PATH, async () => {
    throw upgradeRequired
  })
  app.addHook('preClose', () => cable.close())
}
