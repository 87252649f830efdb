import type { IncomingMessage } from 'node:http'

import { apiKeyId } from '../../modules/api-keys/index.ts'
import { type AccessTokenAuthenticator, accessTokenId } from '../../modules/oauth/index.ts'
import type { Sessions } from '../../modules/sign-in/index.ts'
import type { Actor } from '../../platform/http/route.ts'
import type { Credentials } from '../authenticate.ts'

/** Who is let in, and by which credential: when that goes, so must they. */
export interface Admission {
  actor: Actor
  credentialId: string
  /** Of what ends by itself, without anybody's word. */
  expiresAt?: Date
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
    const credential = credentialOf(request)
    if (credential === undefined) return isOwnPage(request) ? admissionOf(sessions, request) : undefined
    // What looks like an API key is one, and all else an access token, wherever it is sent.
    const credentialId = apiKeyId(credential)
    if (credentialId === undefined) return withToken(accessTokens, credential)
    const actor = await apiKeys.authenticate(credential)
    return actor && { actor, credentialId }
  }

async function withToken(
  accessTokens: AccessTokenAuthenticator,
  token: string,
): Promise<Admission | undefined> {
  const admitted = await accessTokens.admit(token)
  return admitted && { ...admitted, credentialId: accessTokenId(token) }
}

async function admissionOf(sessions: Sessions, { headers }: IncomingMessage): Promise<Admission | undefined> {
  const session = await sessions.sessionOf(headers.cookie)
  if (!session) return undefined
  const { sessionId, company, employee } = session
  return { actor: { companyId: company.id, employeeId: employee.id }, credentialId: sessionId }
}

/** The first that is there counts, right or wrong. A browser's WebSocket sends no headers, hence the query. */
function credentialOf({ headers, url = '' }: IncomingMessage): string | undefined {
  const key = headers['x-api-key']
  if (key !== undefined) return String(key)
  if (headers.authorization !== undefined) return /^Bearer +(\S+)$/i.exec(headers.authorization)?.[1] ?? ''
  return new URLSearchParams(url.split('?')[1]).get('access_token') ?? undefined
}
