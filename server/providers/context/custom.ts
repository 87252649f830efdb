import { randomUUID } from 'node:crypto'

import { signatures, signingKey } from '../../platform/crypto/standard-webhooks.ts'
import { ask, type Line, type LookUp, LookUpFailed } from './ask.ts'
import type { Account } from './port.ts'
import { readContext } from './read-context.ts'

/** Statuses by which an endpoint says that it does not know the caller. */
const NOBODY = [204, 404] as const

/** The company's own endpoint: the request is signed like a webhook, and the response is a context. */
export function custom(
  line: Line,
  { url, signingSecrets }: Extract<Account, { provider: 'custom' }>,
): LookUp {
  return async ({ phone, label }, signal) => {
    const body = JSON.stringify({ phone })
    const headers = signedHeaders(line, signingSecrets, body)
    const answer = await ask(line, { url, headers, body, nobody: NOBODY, signal })
    if (answer === undefined) return { is: 'nobody' }
    if (typeof answer !== 'object' || Array.isArray(answer)) throw new LookUpFailed('malformed')
    const context = readContext(answer, { provider: 'custom', label, source: new URL(url).host })
    return context ? { is: 'found', context } : { is: 'nobody' }
  }
}

function signedHeaders({ clock }: Line, secrets: string[], body: string): Record<string, string> {
  const id = `lookup_${randomUUID()}`
  const timestamp = Math.floor(clock.now().getTime() / 1000)
  return {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatures(secrets.map(signingKey), { id, timestamp, body: Buffer.from(body) }),
  }
}
