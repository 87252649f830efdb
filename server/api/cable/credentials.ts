import type { IncomingMessage } from 'node:http'

import { apiKeyId } from '../../modules/api-keys/index.ts'
import { accessTokenId } from '../../modules/oauth/index.ts'
import type { Actor } from '../../platform/http/route.ts'
import type { Credentials } from '../authenticate.ts'

/** Who is let in, and by which credential: when that goes, so must they. */
export interface Admission {
  actor: Actor
  credentialId: string
}

export type Authenticate = (request: IncomingMessage) => Promise<Admission | undefined>

/** What looks like an API key is one, and all else an access token, wherever it is sent. */
export const authenticateBy =
  ({ apiKeys, accessTokens }: Credentials): Authenticate =>
  async (request) => {
    const credential = credentialOf(request)
    if (!credential) return undefined
    const keyId = apiKeyId(credential)
    const actor = await (keyId ? apiKeys : accessTokens).authenticate(credential)
    return actor && { actor, credentialId: keyId ?? accessTokenId(credential) }
  }

/** The first that is there counts, right or wrong. A browser's WebSocket sends no headers, hence the query. */
function credentialOf({ headers, url = '' }: IncomingMessage): string | undefined {
  const key = headers['x-api-key']
  if (key !== undefined) return String(key)
  if (headers.authorization !== undefined) return /^Bearer +(\S+)$/i.exec(headers.authorization)?.[1]
  return new URLSearchParams(url.split('?')[1]).get('access_token') ?? undefined
}
