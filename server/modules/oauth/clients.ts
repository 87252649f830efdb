import { z } from 'zod'

import type { Tx } from '../../platform/db/database.ts'
import { requiredText } from '../../platform/schemas.ts'
import { insertClient } from './queries.ts'

const LIMITS = { uris: 20, uriCharacters: 2_000 }

/** Schemes that a browser runs or reads itself must never be redirected to. */
const UNSAFE_SCHEMES = new Set(['javascript:', 'data:', 'file:', 'vbscript:', 'blob:', 'about:'])

const RedirectUri = z.string().max(LIMITS.uriCharacters).refine(isRedirectUri, {
  error: 'must be an absolute URI without a fragment, such as https://app.example/callback',
})

const FirstPartyClient = z.object({
  name: requiredText(128),
  redirect_uris: z.array(RedirectUri).min(1, { error: 'must name at least one' }).max(LIMITS.uris),
})

/** For the operator: a client with a lasting id, which may use a custom scheme. */
export async function registerFirstPartyClient(
  tx: Tx,
  input: z.input<typeof FirstPartyClient>,
): Promise<{ id: string }> {
  return { id: await insertClient(tx, { ...FirstPartyClient.parse(input), first_party: true }) }
}

function isRedirectUri(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || url.hash || text.includes('#') || UNSAFE_SCHEMES.has(url.protocol)) return false
  return url.protocol !== 'http:' || ['127.0.0.1', 'localhost', '[::1]'].includes(url.hostname)
}
