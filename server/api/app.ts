import { randomBytes } from 'node:crypto'
import querystring from 'node:querystring'

import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import type { Registry } from 'prom-client'

import type { CallbackReceiver } from '../modules/messages/index.ts'
import { serveOauth } from '../modules/oauth/index.ts'
import type { Sessions } from '../modules/sign-in/index.ts'
import { lazyAsync } from '../platform/async/lazy.ts'
import type { SignedLinks } from '../platform/crypto/signed-links.ts'
import type { Dependencies } from '../platform/dependencies.ts'
import {
  type ConnectionLimits,
  limitConnections,
  receivingWithin,
} from '../platform/http/connection-limits.ts'
import { processMetrics } from '../platform/http/metrics.ts'
import type { Page } from '../platform/http/page.ts'
import type { Route } from '../platform/http/route.ts'
import type { Tracer } from '../platform/tracing/span.ts'
import type { Storage } from '../providers/storage/port.ts'
import { serveDashboard } from './browser/dashboard.ts'
import { servePages } from './browser/pages.ts'
import { serveReference } from './browser/reference.ts'
import { replyToUnknownPaths } from './browser/unknown-paths.ts'
import { serveCallbacks } from './callbacks.ts'
import { API_LIMITS } from './limits.ts'
import { isLiveChannelUpgrade, type Origins, serveCable } from './live-channel/index.ts'
import { serveMcp } from './mcp/serve.ts'
import { createToolCalls } from './mcp/tool-calls.ts'
import { toolsOf } from './mcp/tools.ts'
import { mount } from './mount.ts'
import { describeApi } from './openapi.ts'
import { serveOperations } from './operations.ts'
import { defaultHeaders, responseClassWith } from './reply/default-headers.ts'
import { replyTo, replyToBrokenRequest, replyToErrors } from './reply/error-replies.ts'
import { serveFiles } from './reply/files.ts'
import { actorOf, type Authenticators, requireActor } from './request/authenticate.ts'
import { acceptFormBodies, acceptJsonBodies, BODY_BYTES_MAX } from './request/bodies.ts'
import { allowCrossOrigin } from './request/cross-origin.ts'
import { watchPublicHost } from './request/public-host.ts'
import { logRequests } from './request/request-log.ts'
import { traceRequests } from './request/request-spans.ts'
import { browserSessions } from './request/session-actor.ts'
import { onlyUpgrading } from './request/upgrades.ts'
import { type AcceptSipWebSocket, isSipUpgrade, serveSipWebSockets } from './sip-websockets.ts'

export interface ApiOptions extends Dependencies<'db' | 'pubsub' | 'log' | 'clock' | 'pause'> {
  /** Undefined if no traces are recorded. */
  tracer?: Tracer | undefined
  credentials: Authenticators
  /** Sign-in sessions of browsers. */
  sessions: Sessions
  /** Origins whose pages may open the live channel. */
  origins: Origins
  routes: Route[]
  /** Pages for browsers, outside of /api/v1. */
  pages: Page[]
  /** Handles callbacks of SMS providers. */
  receive: CallbackReceiver
  /** Handles softphones, if an edge runs in this process. */
  receivePhone?: AcceptSipWebSocket
  /** Our public URL, if it is not where we listen. */
  baseUrl?: string
  /** The base of URLs that we give to others. */
  publicUrl: () => string
  /** Proxies whose headers for client address, host and protocol are trusted. */
  trustedProxies: string[]
  connections: ConnectionLimits
  /** How long a request may take to arrive. */
  receiveMs: number
  /** The OAuth issuer for clients that use this host name. */
  issuer(host: string | undefined): string
  links: SignedLinks
  storage: Storage
  /** The process is stopping. */
  isLeaving: () => boolean
  version: string
  /** Whose disk is measured. */
  dataDir: string
  metricsToken?: string
  /** Those of the edge in this process, if there is one. */
  edgeMetrics?: () => Registry | undefined
}

export async function buildApi({
  db,
  credentials,
  sessions,
  pubsub,
  origins,
  routes,
  pages,
  receive,
  receivePhone,
  baseUrl,
  publicUrl,
  trustedProxies,
  connections,
  receiveMs,
  issuer,
  links,
  storage,
  log,
  clock,
  pause,
  isLeaving,
  version,
  dataDir,
  metricsToken,
  edgeMetrics,
  tracer,
}: ApiOptions): Promise<FastifyInstance> {
  const loggerInstance: FastifyBaseLogger = log
  const metrics = processMetrics({ dataDir })
  const followRequest = logRequests({ log, clock, metrics })
  const traceRequest = tracer && traceRequests(tracer)
  const noteHost = watchPublicHost({ baseUrl, log, metrics })
  const standing = defaultHeaders({ baseUrl })
  const app: FastifyInstance = Fastify({
    loggerInstance,
    http: {
      ...receivingWithin(receiveMs),
      IncomingMessage: onlyUpgrading(
        (request) => isLiveChannelUpgrade(request) || (receivePhone !== undefined && isSipUpgrade(request)),
      ),
      ServerResponse: responseClassWith(standing),
    },
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: requestNames(),
    requestIdHeader: false,
    // A child logger for each request costs more than its log lines; the few lines that need the request name it.
    childLoggerFactory: (logger) => logger,
    // Routes are checked with zod, in mount.ts, so that Fastify need not load its own compilers at every start.
    schemaController: { compilersFactory: { buildValidator: noCompiler, buildSerializer: noCompiler } },
    bodyLimit: BODY_BYTES_MAX,
    requestTimeout: receiveMs,
    trustProxy: trustedProxies,
    routerOptions: { maxParamLength: API_LIMITS.pathParameterCharacters, querystringParser: parseQuery },
    // On shutdown, idle keep-alive connections close at once, and running requests finish.
    forceCloseConnections: 'idle',
    // Hooks do not run for a URL that cannot be routed.
    frameworkErrors: (error, request, reply) => {
      followRequest(request, reply)
      replyTo(error, request, reply)
    },
    clientErrorHandler: (error, socket) => replyToBrokenRequest(error, socket, standing),
  })
  limitConnections(app.server, { limits: connections, trustedProxies, standing, clock, log })
  acceptJsonBodies(app)
  acceptFormBodies(app)
  replyToErrors(app)
  replyToUnknownPaths(app)
  app.addHook('onRequest', (request, reply, done) => {
    followRequest(request, reply)
    traceRequest?.(request, reply)
    noteHost(request)
    done()
  })
  allowCrossOrigin(app)
  serveFiles(app, { links, storage })
  serveOperations(app, { db, isLeaving, metrics, edgeMetrics, metricsToken })
  await serveCallbacks(app, { receive, baseUrl: publicUrl })
  await serveCable(app, { credentials, sessions, pubsub, origins, standing, clock, log, metrics })
  if (receivePhone) serveSipWebSockets(app, receivePhone)
  const serveDocument = serveDashboard(app)
  await servePages(app, { pages, baseUrl, serveDocument })
  await serveOauth(app, { db, clock, pause, issuer })

  const toolCalls = createToolCalls()
  const tools = lazyAsync(() => toolsOf(routes))
  await serveMcp(app, { credentials, tools, issuer, version, toolCalls })
  serveReference(app, () => describeApi(routes, { version }))

  await app.register(
    async (api) => {
      requireActor(api, credentials, {
        sessions: browserSessions(sessions, { baseUrl }),
        useOf: (request) => (toolCalls.isOne(request) ? 'mcp' : 'api'),
      })
      for (const route of routes) mount(api, route, actorOf)
    },
    { prefix: '/api/v1' },
  )
  return app
}

function noCompiler(): never {
  throw new Error('a route has a schema of Fastify: declare it with route() instead')
}

/** `3fa9c1d27b60-42`: the process and a counter. Unique without randomness for each request. */
function requestNames(): () => string {
  const processName = randomBytes(6).toString('hex')
  let count = 0
  return () => `${processName}-${++count}`
}

/** Formally `+` means a space, but people paste phone numbers: before a digit it is kept. */
function parseQuery(text: string): Record<string, unknown> {
  return querystring.parse(text.replace(/=\+(?=\d)/g, '=%2B'))
}
