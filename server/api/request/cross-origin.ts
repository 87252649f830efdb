import type { FastifyInstance } from 'fastify'

import { API_LIMITS } from '../limits.ts'

/**
 * What browser applications on other sites may call: the API, and the endpoints that give them a token. Not the
 * authorization endpoint, to which they redirect the browser.
 */
const OPEN = /^\/(?:api\/v1\/|oauth\/(?:token|register|revoke)(?:\?|$)|\.well-known\/oauth-)/

/** Any page may ask, and is given what its token opens. Never the cookie: that takes another header, which we lack. */
const ANY_PAGE = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'WWW-Authenticate, Retry-After, Idempotent-Replayed, X-Request-Id',
}

/** API keys are for programs: in a page, everyone could read them. */
const PREFLIGHT = {
  ...ANY_PAGE,
  'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
  'access-control-allow-headers': 'Authorization, Content-Type, Idempotency-Key',
  'access-control-max-age': String(API_LIMITS.preflightSeconds),
}

/** Runs before authentication: browsers send no credentials in a preflight. */
export function allowCrossOrigin(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { method, url, headers } = request
    if (headers.origin === undefined || !OPEN.test(url)) return done()
    if (method === 'OPTIONS' && headers['access-control-request-method'] !== undefined) {
      reply.code(204).headers(PREFLIGHT).send()
      return
    }
    reply.headers(ANY_PAGE)
    done()
  })
}
