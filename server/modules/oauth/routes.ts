import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'

import type { Dependencies } from '../../platform/dependencies.ts'
import { AppError } from '../../platform/errors.ts'
import { FORM, readForm } from '../../platform/http/form.ts'
import { FORM_LIMITS } from '../../platform/limits.ts'
import { parseJson } from '../../platform/text/parse-json.ts'
import type { Parameters } from './authorize/parameters.ts'
import { registerClient } from './clients/registration.ts'
import { OAuthError } from './errors.ts'
import { OAUTH_LIMITS } from './limits.ts'
import { RESOURCE_METADATA_PATH, resourceMetadata, serverMetadata } from './metadata.ts'
import { revokeToken } from './token/revocation.ts'
import { issueTokens } from './token/token.ts'

interface EndpointParts extends Dependencies<'db' | 'clock' | 'pause'> {
  issuer(host: string | undefined): string
}

/** What applications call directly; pages.ts has what browsers open. */
export async function serveOauth(
  app: FastifyInstance,
  { db, clock, pause, issuer }: EndpointParts,
): Promise<void> {
  await app.register(async (scope) => {
    refuseInOauthWords(scope)

    scope.get('/.well-known/oauth-authorization-server', async ({ headers }) =>
      serverMetadata(issuer(headers.host)),
    )
    scope.get(RESOURCE_METADATA_PATH, async ({ headers }) => {
      const own = issuer(headers.host)
      return resourceMetadata(own, own)
    })
    scope.get(`${RESOURCE_METADATA_PATH}/mcp`, async ({ headers }) => {
      const own = issuer(headers.host)
      return resourceMetadata(own, `${own}/mcp`)
    })
    scope.post(
      '/oauth/register',
      { bodyLimit: OAUTH_LIMITS.registrationBytes },
      async ({ body, ip }, reply) => {
        keepNowhere(reply).code(201)
        return registerClient({ db, clock }, body, ip)
      },
    )

    await scope.register(async (forms) => {
      forms.removeAllContentTypeParsers()
      forms.addContentTypeParser(FORM, AS_FORM, async (_: unknown, text: string) => readForm(text))
      forms.post('/oauth/token', async ({ body, headers }, reply) => {
        const receivedAt = clock.now()
        keepNowhere(reply)
        return issueTokens(
          { db, clock, pause },
          { parameters: formOf(body), issuer: issuer(headers.host), receivedAt },
        )
      })
    })

    await scope.register(async (anything) => {
      acceptAnything(anything)
      anything.post('/oauth/revoke', async ({ body }, reply) => {
        await revokeToken(db, formOf(body))
        return keepNowhere(reply).code(200).send()
      })
    })
  })
}

/** By contract, a revocation returns 200 whatever its content type: so JSON is read too. */
function acceptAnything(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('*', AS_FORM, async ({ headers }: FastifyRequest, text: string) => {
    const isJson = headers['content-type']?.toLowerCase().startsWith('application/json')
    return isJson ? fieldsOf(text) : readForm(text)
  })
}

const AS_FORM = { parseAs: 'string', bodyLimit: FORM_LIMITS.bytes } as const

const fieldsOf = (json: string) => new URLSearchParams(Revocation.safeParse(parseJson(json)).data)

const Revocation = z.object({ token: z.string(), client_id: z.string() })

const formOf = (body: unknown): Parameters => (body instanceof URLSearchParams ? body : new URLSearchParams())

const keepNowhere = (reply: FastifyReply) =>
  reply.headers({ 'cache-control': 'no-store', pragma: 'no-cache' })

/** Errors before an endpoint is reached (length, content type) have the OAuth format too. */
function refuseInOauthWords(scope: FastifyInstance): void {
  scope.setErrorHandler((error) => {
    if (error instanceof OAuthError) throw error
    const { statusCode } = error as { statusCode?: number }
    const status = error instanceof AppError ? error.status : (statusCode ?? 500)
    if (status >= 500) throw error
    throw new OAuthError('invalid_request', 'The request has no body of the right type and length.')
  })
}
