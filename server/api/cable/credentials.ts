import type { IncomingMessage } from 'node:http'

import { type ApiKeyAuthenticator, apiKeyId } from '../../modules/api-keys/index.ts'
import type { Actor } from '../../platform/http/route.ts'

/** Who is let in, and by which credential: when that goes, so must they. */
export interface Admission {
  actor: Actor
  credentialId: string
}

export type Authenticate = (request: IncomingMessage) => Promise<Admission | undefined>

export const authenticateByApiKey =
  (apiKeys: ApiKeyAuthenticator): Authenticate =>
  async (request) => {
    const key = credentialOf(request)
    const credentialId = key && apiKeyId(key)
    const actor = credentialId && (await apiKeys.authenticate(key))
    return actor ? { actor, credentialId } : undefined
  }

/** The first that is there counts, right or wrong. A browser's WebSocket sends no headers, hence the query. */
function credentialOf({ headers, url = '' }: IncomingMessage): string | undefined {
  const key = headers['x-api-key']
  if (key !== undefined) return String(key)
  if (headers.authorization !== undefined) return /^Bearer +(\S+)$/i.exec(headers.authorization)?.[1]
  return new URLSearchParams(url.split('?')[1]).get('access_token') ?? undefined
}
