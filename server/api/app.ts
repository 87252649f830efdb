import { randomBytes } from 'node:crypto'
import querystring from 'node:querystring'

import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'

import type { CallbackReceiver } from '../modules/messages/index.ts'
import { serveOauth } from '../modules/oauth/index.ts'
import type { Sessions } from '../modules/sign-in/index.ts'
import type { Clock, Pause } from '../platform/clock.ts'
import type { SignedLinks } from '../platform/crypto/signed-links.ts'
import type { Database } from '../platform/db/database.ts'
import type { PubSub } from '../platform/db/pubsub.ts'
import {
  type ConnectionLimits,
  limitConnections,
  receivingWithin,
} from '../platform/http/connection-limits.ts'
import { processMetrics } from '../platform/http/metrics.ts'
import type { Page } from '../platform/http/page.ts'
import type { Route } from '../platform/http/route.ts'
import type { Log } from '../platform/log.ts'
import { madeWhenAsked } from '../platform/once-made.ts'
import type { Storage } from '../providers/storage/port.ts'
import { serveDashboard } from './browser/dashboard.ts'
import { servePages } from './browser/pages.ts'
import { serveReference } from './browser/reference.ts'
import { asksForCable, type Origins, serveCable } from './cable/index.ts'
import { serveCallbacks } from './callbacks.ts'
import { LIMITS } from './limits.ts'
import { serveMcp } from './mcp/serve.ts'
import { createToolCalls } from './mcp/tool-calls.ts'
import { toolsOf } from './mcp/tools.ts'
import { mount } from './mount.ts'
import { describeApi } from './openapi.ts'
import { serveOperations } from './operations.ts'
import { asksForPhone, type ReceivePhone, servePhones } from './phones.ts'
import { replyTo, replyToBrokenRequest, replyToErrors } from './reply/error-replies.ts'
import { serveFiles } from './reply/files.ts'
import { answeringWith, standingHeaders } from './reply/standing-headers.ts'
import { actorOf, type Credentials, requireActor } from './request/authenticate.ts'
import { acceptFormBodies, acceptJsonBodies, BODY_BYTES_MAX } from './request/bodies.ts'
import { allowPagesOfOtherSites } from './request/cross-origin.ts'
import { followRequests } from './request/follow-requests.ts'
import { browserSessions } from './request/session-actor.ts'
import { onlyUpgrading } from './request/upgrades.ts'

export interface ApiOptions {
  db: Database
  credentials: Credentials
  /** Who is signed in at which browser. */
  sessions: Sessions
  pubsub: PubSub
  /** Whose pages may open the live channel. */
  origins: Origins
  routes: Route[]
  /** What people see in a browser, outside of /api/v1. */
  pages: Page[]
  /** Takes what SMS providers call with. */
  receive: CallbackReceiver
  /** Takes browsers that are phones, where an edge runs in this process. */
  receivePhone?: ReceivePhone
  /** Where people reach us, when that is not where we listen. */
  baseUrl?: string
  /** What the addresses that others know of us begin with. */
  publicUrl: () => string
  /** Whom to believe where a request comes from, and by which host and protocol. */
  trustedProxies: string[]
  connections: ConnectionLimits
  /** How long a request may take to arrive. */
  receiveMs: number
  /** Who we are to OAuth clients that called us by this host. */
  issuer(host: string | undefined): string
  links: SignedLinks
  storage: Storage
  log: Log
  clock: Clock
  pause: Pause
  /** The process ends when what runs in it is over. */
  isLeaving: () => boolean
  version: string
  metricsToken?: string
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
  metricsToken,
}: ApiOptions): Promise<FastifyInstance> {
  const loggerInstance: FastifyBaseLogger = log
  const metrics = processMetrics()
  const followRequest = followRequests({ log, clock, metrics })
  const standing = standingHeaders({ baseUrl })
  const app: FastifyInstance = Fastify({
    loggerInstance,
    http: {
      ...receivingWithin(receiveMs),
      IncomingMessage: onlyUpgrading(
        (request) => asksForCable(request) || (receivePhone !== undefined && asksForPhone(request)),
      ),
      ServerResponse: answeringWith(standing),
    },
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: requestNames(),
    requestIdHeader: false,
    // A logger for each request costs more than all its lines; those few that need it name the request themselves.
    childLoggerFactory: (logger) => logger,
    bodyLimit: BODY_BYTES_MAX,
    requestTimeout: receiveMs,
    trustProxy: trustedProxies,
    routerOptions: { maxParamLength: LIMITS.pathParameterCharacters, querystringParser: parseQuery },
    // On shutdown, idle keep-alive connections close at once and running requests finish.
    forceCloseConnections: 'idle',
    // No hook runs for a URL that cannot be routed.
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
  app.addHook('onRequest', (request, reply, done) => {
    followRequest(request, reply)
    done()
  })
  allowPagesOfOtherSites(app)
  serveFiles(app, { links, storage })
  serveOperations(app, { db, isLeaving, metrics, metricsToken })
  await serveCallbacks(app, { receive, baseUrl: publicUrl })
  await serveCable(app, { credentials, sessions, pubsub, origins, standing, clock, log, metrics })
  if (receivePhone) servePhones(app, receivePhone)
  await servePages(app, { pages, baseUrl })
  serveDashboard(app)
  await serveOauth(app, { db, clock, pause, issuer })

  const toolCalls = createToolCalls()
  const tools = madeWhenAsked(() => toolsOf(routes))
  await serveMcp(app, { credentials, tools, issuer, version, toolCalls })
  const document = madeWhenAsked(() => describeApi(routes, { version }))
  serveReference(app, document)
  // They take a tenth of a second, which would be heard in the calls that such a process holds.
  if (receivePhone) for (const make of [tools, document]) make()

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

/** `3fa9c1d27b60-42`: the process and a count. Unique without asking for randomness each time. */
function requestNames(): () => string {
  const processName = randomBytes(6).toString('hex')
  let count = 0
  return () => `${processName}-${++count}`
}

/** By the book a `+` stands for a space, but people paste phone numbers: before a digit it is kept. */
function parseQuery(text: string): Record<string, unknown> {
  return querystring.parse(text.replace(/=\+(?=\d)/g, '=%2B'))
}
