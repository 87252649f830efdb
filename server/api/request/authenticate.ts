import type { FastifyInstance, FastifyRequest } from 'fastify'

import type { ApiKeyAuthenticator } from '../../modules/api-keys/index.ts'
import type { AccessTokenAuthenticator, TokenUse } from '../../modules/oauth/index.ts'
import { AppError } from '../../platform/errors.ts'
import type { RequestActor } from '../../platform/http/route.ts'

declare module 'fastify' {
  interface FastifyRequest {
    actor: RequestActor | null
  }
}

/** Authenticates credentials. */
export interface Authenticators {
  apiKeys: ApiKeyAuthenticator
  accessTokens: AccessTokenAuthenticator
}

/** The signed-in employee of a request with a session cookie. */
export interface BrowserSessions {
  isCookieIn(cookieHeader: string | undefined): boolean
  actorOf(request: FastifyRequest): Promise<RequestActor | undefined>
}

/** The WWW-Authenticate header of a 401. */
export type Challenge = (request: FastifyRequest) => string

const bearerChallenge: Challenge = () => 'Bearer error="invalid_token"'

const REFUSALS = {
  missing: {
    code: 'unauthorized',
    message: 'Send an API key in the header X-Api-Key, or an access token as Authorization: Bearer.',
  },
  apiKey: { code: 'Invalid API key' },
  accessToken: {
    code: 'invalid_token',
    message:
      'The access token is unknown, expired, revoked, or good for /mcp alone. Refresh it and try again.',
  },
  session: { code: 'unauthorized', message: 'You are signed out. Sign in at /sign-in and try again.' },
}

interface AuthenticationOptions {
  /** Set where session cookies are accepted too. */
  sessions?: BrowserSessions
  /** What a token must be valid for. */
  useOf(request: FastifyRequest): TokenUse
  challenge?: Challenge
}

/** All routes of `app` need a credential; it is checked before the body is read. */
export function requireActor(
  app: FastifyInstance,
  credentials: Authenticators,
  { sessions, useOf, challenge = bearerChallenge }: AuthenticationOptions,
): void {
  const admit = (request: FastifyRequest, kind: Kind, actor: RequestActor | undefined): Error | undefined => {
    request.actor = actor ?? null
    if (actor) return undefined
    return new AppError({
      status: 401,
      ...REFUSALS[kind],
      headers: { 'www-authenticate': challenge(request) },
    })
  }
  app.decorateRequest('actor', null)
  app.addHook('onRequest', (request, _, done) => {
    const { kind, found } = find(request, credentials, { sessions, useOf })
    if (found instanceof Promise) found.then((actor) => done(admit(request, kind, actor)), done)
    else done(admit(request, kind, found))
  })
}

type Kind = keyof typeof REFUSALS

interface Claim {
  kind: Kind
  found: RequestActor | undefined | Promise<RequestActor | undefined>
}

/**
 * A key takes precedence over a token: a client that sends both gets an error if the key is wrong. Both take
 * precedence over the cookie, which browsers send automatically.
 */
function find(
  request: FastifyRequest,
  { apiKeys, accessTokens }: Authenticators,
  { sessions, useOf }: AuthenticationOptions,
): Claim {
  const { 'x-api-key': key, authorization, cookie } = request.headers
  if (key !== undefined)
    return { kind: 'apiKey', found: typeof key === 'string' ? apiKeys.authenticate(key) : undefined }
  if (authorization === undefined)
    return sessions?.isCookieIn(cookie)
      ? { kind: 'session', found: sessions.actorOf(request) }
      : { kind: 'missing', found: undefined }
  const token = BEARER.exec(authorization)?.[1]
  if (token === undefined) return { kind: 'accessToken', found: undefined }
  return { kind: 'accessToken', found: accessTokens.authenticate(token, useOf(request)) }
}

/** RFC 6750 §2.1; the scheme is case-insensitive (RFC 9110 §11.1). */
const BEARER = /^bearer +([\w.~+/-]+=*)$/i

export function actorOf(request: FastifyRequest): RequestActor {
  if (!request.actor) throw new Error('a route was mounted outside of the authenticated scope')
  return request.actor
}
