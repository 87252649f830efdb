import { randomBytes } from 'node:crypto'
import querystring from 'node:querystring'

import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import { Registry } from 'prom-client'

import type { ApiKeyAuthenticator } from '../modules/api-keys/index.ts'
import type { CallbackReceiver } from '../modules/messages/index.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/db/database.ts'
import type { Route } from '../platform/http/route.ts'
import type { Log } from '../platform/log.ts'
import type { PubSub } from '../platform/pubsub.ts'
import type { SignedLinks } from '../platform/signed-links.ts'
import type { Storage } from '../providers/storage/port.ts'
import { actorOf, requireActor } from './authenticate.ts'
import { acceptFormBodies, acceptJsonBodies, BODY_BYTES_MAX } from './bodies.ts'
import { CableRequest, type Origins, serveCable } from './cable/index.ts'
import { serveCallbacks } from './callbacks.ts'
import { replyTo, replyToBrokenRequest, replyToErrors } from './error-replies.ts'
import { serveFiles } from './files.ts'
import { followRequests } from './follow-requests.ts'
import { mount } from './mount.ts'
import { describeApi } from './openapi.ts'
import { serveOperations } from './operations.ts'
import { serveReference } from './reference.ts'

export interface ApiOptions {
  db: Database
  apiKeys: ApiKeyAuthenticator
  pubsub: PubSub
  /** Whose pages may open the live channel. */
  origins: Origins
  routes: Route[]
  /** Takes what SMS providers call with. */
  receive: CallbackReceiver
  /** What the addresses that others know of us begin with. */
  baseUrl: () => string
  links: SignedLinks
  storage: Storage
  log: Log
  clock: Clock
  version: string
  metricsToken?: string
}

const LIMITS = { requestMs: 60_000, pathParameterCharacters: 256 }

export async function buildApi({
  db,
  apiKeys,
  pubsub,
  origins,
  routes,
  receive,
  baseUrl,
  links,
  storage,
  log,
  clock,
  version,
  metricsToken,
}: ApiOptions): Promise<FastifyInstance> {
  const loggerInstance: FastifyBaseLogger = log
  const metrics = new Registry()
  const followRequest = followRequests({ log, clock, metrics })
  const app: FastifyInstance = Fastify({
    loggerInstance,
    http: { IncomingMessage: CableRequest },
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: requestNames(),
    requestIdHeader: false,
    // A logger for each request costs more than all its lines; those few that need it name the request themselves.
    childLoggerFactory: (logger) => logger,
    bodyLimit: BODY_BYTES_MAX,
    requestTimeout: LIMITS.requestMs,
    routerOptions: { maxParamLength: LIMITS.pathParameterCharacters, querystringParser: parseQuery },
    // On shutdown, idle keep-alive connections close at once and running requests finish.
    forceCloseConnections: 'idle',
    // No hook runs for a URL that cannot be routed.
    frameworkErrors: (error, request, reply) => {
      followRequest(request, reply)
      void replyTo(error, request, reply)
    },
    clientErrorHandler: replyToBrokenRequest,
  })
  acceptJsonBodies(app)
  acceptFormBodies(app)
  replyToErrors(app)
  app.addHook('onRequest', (request, reply, done) => {
    followRequest(request, reply)
    done()
  })
  serveFiles(app, { links, storage })
  serveOperations(app, { db, metrics, metricsToken })
  await serveCallbacks(app, { receive, baseUrl })
  await serveCable(app, { apiKeys, pubsub, origins, clock, log, metrics })

  await serveReference(app, describeApi(routes, { version }))

  await app.register(
    async (api) => {
      requireActor(api, apiKeys)
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
