import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

import type { Registry } from 'prom-client'

import { buildApi } from '../api/app.ts'
import { API_TURNS } from '../api/limits.ts'
import { tooManyRequests } from '../api/request/too-many-requests.ts'
import type { AcceptSipWebSocket } from '../api/sip-websockets.ts'
import { type Config, wrongSetting } from '../config.ts'
import { createApiKeyAuthenticator } from '../modules/api-keys/index.ts'
import type { RunEdgeCommand } from '../modules/calls/index.ts'
import { askEdges, runEdgeCommand, TrunksAnswer } from '../modules/edges/index.ts'
import { createFileLinks } from '../modules/files/index.ts'
import { createCallbackReceiver } from '../modules/messages/index.ts'
import { createAccessTokenAuthenticator, createClientFinder, issuerOf } from '../modules/oauth/index.ts'
import { createSignIn } from '../modules/sign-in/index.ts'
import { createFairTurns } from '../platform/async/fair-turns.ts'
import { systemClock } from '../platform/clock.ts'
import { createSignedLinks } from '../platform/crypto/signed-links.ts'
import { openPubSub } from '../platform/db/pubsub.ts'
import { OperatorError } from '../platform/errors.ts'
import type { Route } from '../platform/http/route.ts'
import { ACCEPT_BACKLOG } from '../platform/net/backlog.ts'
import { localUrl } from '../wiring/local-url.ts'
import { version } from '../wiring/version.ts'
import { ROLE_LIMITS } from './limits.ts'
import { declarePages, declareRoutes } from './routes.ts'
import { once, openSharedParts, type RoleParts, type Running } from './shared.ts'
import { openSimulatedCustomers } from './simulated-customers.ts'

interface ApiParts extends RoleParts {
  /** Accepts softphones, if an edge runs in this process. */
  receivePhone?: AcceptSipWebSocket
  /** The process is draining: no new requests should be sent here. */
  isLeaving?: () => boolean
  /** The metrics of the edge in this process, once it runs. */
  edgeMetrics?: () => Registry | undefined
}

/** Serves HTTP. */
export async function startApi({
  receivePhone,
  isLeaving = () => false,
  edgeMetrics,
  ...parts
}: ApiParts): Promise<Running & { url: string; routes: Route[] }> {
  const shared = await openSharedParts(parts)
  const { config, db, log, clock, storage, texts, sms } = shared
  const pubsub = openPubSub(db.address, log, shared.labelOf('api'))
  const listening = { db, pubsub, clock }
  const credentials = {
    apiKeys: await createApiKeyAuthenticator(listening),
    accessTokens: await createAccessTokenAuthenticator(listening),
  }
  const signed = createSignedLinks({ secret: shared.secret, clock })
  let url = ''
  const addresses = { public: () => config.baseUrl ?? url, local: () => url }
  const links = createFileLinks({ signed, baseUrl: addresses.public })
  const ask: RunEdgeCommand = (prepare) => runEdgeCommand(db, pubsub, clock, prepare, ROLE_LIMITS.edgeMs)
  const askTrunks = () => askEdges(listening, { ask: 'trunks' }, TrunksAnswer, ROLE_LIMITS.edgeMs)
  const people = openSimulatedCustomers({ ...shared, localUrl: addresses.local })
  const routes = declareRoutes(shared, { links, addresses, askEdge: ask, askTrunks, people })
  const { metricsToken, baseUrl } = config
  const secure = baseUrl?.startsWith('https:') ?? false
  const signIn = createSignIn({ db, clock, secret: shared.secret, secure })
  const issuer = (host: string | undefined) => issuerOf({ baseUrl, url }, host)
  const clients = createClientFinder({ db, clock, allowInsecure: config.webhooksAllowInsecure })
  const turns = createFairTurns({
    // It measures the use of the machine.
    clock: systemClock,
    presence: shared.presence,
    limits: API_TURNS,
    connections: { total: config.databasePoolSize, countIdle: db.countIdle },
    tooMany: tooManyRequests,
  })
  const app = await buildApi({
    db,
    credentials,
    turns,
    sessions: signIn,
    pubsub,
    origins: { baseUrl: config.baseUrl, allowed: config.allowedOrigins },
    routes,
    pages: declarePages(shared, { signIn, issuer, clients }),
    receive: createCallbackReceiver({ db, clock, texts, providers: sms.providers, turns }),
    receivePhone,
    baseUrl,
    publicUrl: addresses.public,
    trustedProxies: config.trustedProxies,
    connections: config.connections,
    receiveMs: config.receiveMs,
    issuer,
    links: signed,
    storage,
    log,
    clock,
    pause: shared.pause,
    isLeaving,
    version,
    dataDir: config.dataDir,
    metricsToken,
    edgeMetrics,
    tracer: shared.tracer,
  })
  const stop = once(async () => {
    const callOff = clock.after(ROLE_LIMITS.drainMs, () => app.server.closeAllConnections())
    const letGo = closeConnectionsAsAnswered(app.server)
    await app.close()
    letGo()
    callOff()
    await clients.close()
    await people.close()
    await shared.speaker.close()
    await shared.embedder?.close()
    await sms.close()
    await shared.sources.close()
    await pubsub.close()
  })
  try {
    await app.listen({ host: config.host, port: config.port, backlog: ACCEPT_BACKLOG })
  } catch (error) {
    await stop()
    throw whyNotListening(error as NodeJS.ErrnoException, config)
  }
  url = localUrl(app.server.address() as AddressInfo)
  return { url, routes, stop }
}

/** A keep-alive connection would keep a stopping process alive too. */
function closeConnectionsAsAnswered(server: Server): () => void {
  const close = (message: unknown) => {
    const answered = message as { server: Server; socket: Socket }
    if (answered.server === server) answered.socket.destroySoon()
  }
  subscribe('http.server.response.finish', close)
  return () => unsubscribe('http.server.response.finish', close)
}

function whyNotListening(error: NodeJS.ErrnoException, { host, port }: Config): Error {
  switch (error.code) {
    case 'EADDRINUSE':
      return new OperatorError(
        `Port ${port} of ${host} is already in use: set PORT to a free port, or to 0 for any.`,
      )
    case 'EACCES':
      return new OperatorError(`Port ${port} is reserved for root: set PORT to a port above 1023.`)
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return wrongSetting('HOST')
    default:
      return error
  }
}
