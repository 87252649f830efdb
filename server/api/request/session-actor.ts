import type { FastifyRequest } from 'fastify'

import type { Sessions } from '../../modules/sign-in/index.ts'
import { AppError } from '../../platform/errors.ts'
import type { RequestActor } from '../../platform/http/route.ts'
import type { BrowserSessions } from './authenticate.ts'
import { isForm, unsupportedMediaType } from './bodies.ts'
import { isSafeMethod, originOf } from './request-origin.ts'

const fromElsewhere = new AppError({
  status: 403,
  code: 'cross_origin_request',
  message:
    'The cookie of a signed-in browser counts for pages of this address only. Send an API key or an access token.',
})

const twoFactorRequired = new AppError({
  status: 403,
  code: 'two_factor_required',
  message:
    'Your company asks for two-factor sign-in. Set it up at /account/two-factor/setup, then try again.',
})

/**
 * The employee who is signed in at the browser, for requests of our own pages. Browsers send the cookie with every
 * request to us, so the origin must be certain: SameSite excludes other sites, and this check what it lets through.
 */
export function browserSessions(sessions: Sessions, { baseUrl }: { baseUrl?: string }): BrowserSessions {
  async function actorOf(request: FastifyRequest): Promise<RequestActor | undefined> {
    const origin = originOf(request, baseUrl)
    const changes = !isSafeMethod(request.method)
    if (origin === 'elsewhere' || (changes && origin === 'untold')) throw fromElsewhere
    // A form of another site needs no preflight, so a form cannot count as a change by our own page.
    if (changes && isForm(request)) throw unsupportedMediaType
    const found = await sessions.anySessionOf(request.headers.cookie)
    if (!found || found.lacks === 'code') return undefined
    if (found.lacks === 'two_factor_setup') throw twoFactorRequired
    const { actor, sessionId } = found.session
    return { ...actor, credential: { kind: 'session', id: sessionId } }
  }
  return { isCookieIn: sessions.isCookieIn, actorOf }
}
