import type { FastifyInstance, FastifyRequest } from 'fastify'

import type { ApiKeyAuthenticator } from '../modules/api-keys/index.ts'
import { AppError } from '../platform/errors.ts'
import type { Actor } from '../platform/http/route.ts'

declare module 'fastify' {
  interface FastifyRequest {
    actor: Actor | null
  }
}

const CHALLENGE = { 'www-authenticate': 'Bearer error="invalid_token"' }

const credentialMissing = new AppError({
  status: 401,
  code: 'unauthorized',
  message: 'Send an API key in the header X-Api-Key.',
  headers: CHALLENGE,
})

const invalidApiKey = new AppError({
  status: 401,
  code: 'Invalid API key',
  headers: CHALLENGE,
})

/** Everything that `app` serves needs a credential; it is looked at before the body is read. */
export function requireActor(app: FastifyInstance, apiKeys: ApiKeyAuthenticator): void {
  app.decorateRequest('actor', null)
  app.addHook('onRequest', (request, _, done) => {
    const admit = (actor: Actor | undefined) => {
      request.actor = actor ?? null
      done(actor ? undefined : invalidApiKey)
    }
    const key = request.headers['x-api-key']
    if (key === undefined) return done(credentialMissing)
    const found = typeof key === 'string' ? apiKeys.authenticate(key) : undefined
    if (found instanceof Promise) found.then(admit, done)
    else admit(found)
  })
}

export function actorOf(request: FastifyRequest): Actor {
  if (!request.actor) throw new Error('a route was mounted outside of the authenticated scope')
  return request.actor
}
