import type { IncomingMessage } from 'node:http'

import { type ApiKeyAuthenticator, apiKeyId } from '../../modules/api-keys/index.ts'
import { type AccessTokenAuthenticator, accessTokenId } from '../../modules/oauth/index.ts'
import type { Sessions } from '../../modules/sign-in/index.ts'
import type { Actor } from '../../platform/http/route.ts'
import type { Authenticators } from '../request/authenticate.ts'

/** An admitted client with its credential: when that ends, so does the connection. */
export interface AuthenticatedClient {
  actor: Actor
  credentialId: string
  /** For a credential that expires: when, and the reason that its client then gets. */
  end?: { at: Date; as: 'unauthorized' | 'server_restart' }
}

export type Authenticate = (request: IncomingMessage) => Promise<AuthenticatedClient | undefined>

interface Proofs extends Authenticators {
  sessions: Sessions
  /** Whether the browser says that the page is our own; other programs say nothing. */
  isOwnPage(request: IncomingMessage): boolean
}

/** By an explicit credential, else by the cookie, which browsers send with every request. */
export const authenticateBy =
  ({ apiKeys, accessTokens, sessions, isOwnPage }: Proofs): Authenticate =>
  async (request) => {
    const sent = inHeaders(request)
    if (sent !== undefined) {
      // What looks like an API key is one; everything else is an access token, in whichever header it is.
      const keyId = apiKeyId(sent)
      return keyId === undefined ? withToken(accessTokens, sent) : withKey(apiKeys, sent, keyId)
    }
    const token = inAddress(request)
    if (token !== undefined) return withToken(accessTokens, token)
    return isOwnPage(request) ? withSession(sessions, request) : undefined
  }

async function withKey(
  apiKeys: ApiKeyAuthenticator,
  key: string,
  credentialId: string,
): Promise<AuthenticatedClient | undefined> {
  const actor = await apiKeys.authenticate(key)
  return actor && { actor, credentialId }
}

async function withToken(
  accessTokens: AccessTokenAuthenticator,
  token: string,
): Promise<AuthenticatedClient | undefined> {
  const admitted = await accessTokens.admit(token)
  if (!admitted) return undefined
  const { actor, expiresAt } = admitted
  return { actor, credentialId: accessTokenId(token), end: { at: expiresAt, as: 'unauthorized' } }
}

async function withSession(
  sessions: Sessions,
  { headers }: IncomingMessage,
): Promise<AuthenticatedClient | undefined> {
  const session = await sessions.sessionOf(headers.cookie)
  if (!session) return undefined
  const { sessionId, actor, endsAt } = session
  // The session may have been extended since: the client reconnects, and is admitted or not.
  return { actor, credentialId: sessionId, end: { at: endsAt, as: 'server_restart' } }
}

/** The first one present counts, valid or not. */
function inHeaders({ headers }: IncomingMessage): string | undefined {
  const key = headers['x-api-key']
  if (key !== undefined) return String(key)
  if (headers.authorization === undefined) return undefined
  return /^Bearer +(\S+)$/i.exec(headers.authorization)?.[1] ?? ''
}

/**
 * A browser's WebSocket cannot send headers. Proxies log URLs, so only a credential that expires soon is accepted
 * there: an access token, and never an API key.
 */
function inAddress({ url = '' }: IncomingMessage): string | undefined {
  return new URLSearchParams(url.split('?')[1]).get('access_token') ?? undefined
}
