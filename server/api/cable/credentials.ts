import type { IncomingMessage } from 'node:http'

import { type ApiKeyAuthenticator, apiKeyId } from '../../modules/api-keys/index.ts'
import { type AccessTokenAuthenticator, accessTokenId } from '../../modules/oauth/index.ts'
import type { Sessions } from '../../modules/sign-in/index.ts'
import type { Actor } from '../../platform/http/route.ts'
import type { Credentials } from '../request/authenticate.ts'

/** Who is let in, and by which credential: when that goes, so must they. */
export interface Admission {
  actor: Actor
  credentialId: string
  /** Of what ends by itself, without anybody's word: when, and what its client is told then. */
  end?: { at: Date; as: 'unauthorized' | 'server_restart' }
}

export type Authenticate = (request: IncomingMessage) => Promise<Admission | undefined>

interface Proofs extends Credentials {
  sessions: Sessions
  /** Of a page of our own, as a browser says; a program that says nothing is none. */
  isOwnPage(request: IncomingMessage): boolean
}

/** By what was sent on purpose, and only without that by the cookie, which browsers send whoever asks. */
export const authenticateBy =
  ({ apiKeys, accessTokens, sessions, isOwnPage }: Proofs): Authenticate =>
  async (request) => {
    const sent = inHeaders(request)
    if (sent !== undefined) {
      // What looks like an API key is one, and all else an access token, in whichever header it is.
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
): Promise<Admission | undefined> {
  const actor = await apiKeys.authenticate(key)
  return actor && { actor, credentialId }
}

async function withToken(
  accessTokens: AccessTokenAuthenticator,
  token: string,
): Promise<Admission | undefined> {
  const admitted = await accessTokens.admit(token)
  if (!admitted) return undefined
  const { actor, expiresAt } = admitted
  return { actor, credentialId: accessTokenId(token), end: { at: expiresAt, as: 'unauthorized' } }
}

async function withSession(sessions: Sessions, { headers }: IncomingMessage): Promise<Admission | undefined> {
  const session = await sessions.sessionOf(headers.cookie)
  if (!session) return undefined
  const { sessionId, company, employee, endsAt } = session
  return {
    actor: { companyId: company.id, employeeId: employee.id },
    credentialId: sessionId,
    // It goes on if it was used since: the client comes again, and is let in or not.
    end: { at: endsAt, as: 'server_restart' },
  }
}

/** The first that is there counts, right or wrong. */
function inHeaders({ headers }: IncomingMessage): string | undefined {
  const key = headers['x-api-key']
  if (key !== undefined) return String(key)
  if (headers.authorization === undefined) return undefined
  return /^Bearer +(\S+)$/i.exec(headers.authorization)?.[1] ?? ''
}

/**
 * A browser's WebSocket sends no headers. Proxies keep addresses in their logs, so only what soon expires may come
 * this way: an access token, and never an API key.
 */
function inAddress({ url = '' }: IncomingMessage): string | undefined {
  return new URLSearchParams(url.split('?')[1]).get('access_token') ?? undefined
}
