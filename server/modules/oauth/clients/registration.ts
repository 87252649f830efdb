import { z } from 'zod'

import type { Dependencies } from '../../../platform/dependencies.ts'
import { optionalLine } from '../../../platform/schemas.ts'
import { describeDestination, isPublicRedirectUri } from '../authorize/redirect-uris.ts'
import { OAuthError } from '../errors.ts'
import { OAUTH_LIMITS } from '../limits.ts'
import { SCOPE } from '../scope.ts'
import { type ClientRow, countRegistrations, insertClient, lockRegistrar } from './client-queries.ts'
import { clientIdOf } from './clients.ts'

/** RFC 7591: dynamic client registration. We decide on everything but the name and the redirect URIs. */
export async function registerClient(
  { db, clock }: Dependencies<'db' | 'clock'>,
  body: unknown,
  address: string,
) {
  const redirect_uris = checkRedirectUris(body)
  const name = checkName(body) ?? describeDestination(redirect_uris[0]!).host
  const now = clock.now()
  const client = await db.tx(async (tx) => {
    await lockRegistrar(tx, address)
    const since = new Date(now.getTime() - OAUTH_LIMITS.registrationsMs)
    if ((await countRegistrations(tx, address, since)) >= OAUTH_LIMITS.registrations)
      throw tooManyRegistrations()
    return insertClient(tx, { name, redirect_uris, registered_from: address, created_at: now })
  })
  return present(client)
}

const Addresses = z.object({ redirect_uris: z.array(z.string()).min(1).max(OAUTH_LIMITS.redirectUris) })

function checkRedirectUris(body: unknown): string[] {
  const { data } = Addresses.safeParse(body)
  if (data?.redirect_uris.every(isPublicRedirectUri)) return data.redirect_uris
  throw new OAuthError(
    'invalid_redirect_uri',
    `redirect_uris must name 1 to ${OAUTH_LIMITS.redirectUris} addresses without a fragment: https://… anywhere, ` +
      'or http:// on 127.0.0.1, localhost or [::1] with any port.',
  )
}

const Named = z.object({ client_name: optionalLine(OAUTH_LIMITS.clientNameCharacters).optional() })

function checkName(body: unknown): string | undefined {
  const { data } = Named.safeParse(body)
  if (data) return data.client_name || undefined
  throw new OAuthError(
    'invalid_client_metadata',
    `client_name must be one line of at most ${OAUTH_LIMITS.clientNameCharacters} characters.`,
  )
}

const tooManyRegistrations = () =>
  new OAuthError('rate_limited', 'Too many applications were registered from here. Try again later.', {
    'retry-after': String(OAUTH_LIMITS.registrationsMs / 1000),
  })

const present = (client: ClientRow) => ({
  client_id: clientIdOf(client),
  client_id_issued_at: Math.floor(client.created_at.getTime() / 1000),
  redirect_uris: client.redirect_uris,
  token_endpoint_auth_method: 'none',
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  client_name: client.name,
  scope: SCOPE,
})
