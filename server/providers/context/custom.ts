import { randomUUID } from 'node:crypto'

import { signatures, signingKey } from '../../platform/crypto/standard-webhooks.ts'
import type { ProviderAccount } from './port.ts'
import { parseContext } from './read-context.ts'
import { type LookUp, LookUpFailed, type LookUpHttpClient, requestJson } from './request-json.ts'

/** Statuses by which an endpoint says that it does not know the caller. */
const NOBODY = [204, 404] as const

/** The company's own endpoint: the request is signed like a webhook, and the response is a context. */
export function custom(
  line: LookUpHttpClient,
  { url, signingSecrets }: Extract<ProviderAccount, { provider: 'custom' }>,
): LookUp {
  return async ({ phone, label }, signal) => {
    const body = JSON.stringify({ phone })
    const headers = signedHeaders(line, signingSecrets, body)
    const answer = await requestJson(line, { url, headers, body, nobody: NOBODY, signal })
    if (answer === undefined) return { is: 'nobody' }
    if (typeof answer !== 'object' || Array.isArray(answer)) throw new LookUpFailed('malformed')
    const context = parseContext(answer, { provider: 'custom', label, source: new URL(url).host })
    return context ? { is: 'found', context } : { is: 'nobody' }
  }
}

function signedHeaders({ clock }: LookUpHttpClient, secrets: string[], body: string): Record<string, string> {
  const id = `lookup_${randomUUID()}`
  const timestamp = Math.floor(clock.now().getTime() / 1000)
  return {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatures(secrets.map(signingKey), { id, timestamp, body: Buffer.from(body) }),
  }
}
