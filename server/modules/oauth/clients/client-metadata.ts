import { z } from 'zod'

import type { Dependencies } from '../../../platform/dependencies.ts'
import { createSafeAgent } from '../../../platform/net/safe-agent.ts'
import { optionalLine } from '../../../platform/schemas.ts'
import { parseJson } from '../../../platform/text/parse-json.ts'
import { isPublicRedirectUri } from '../authorize/redirect-uris.ts'
import { OAUTH_LIMITS } from '../limits.ts'
import { type ClientRow, forgetMetadata, upsertClientByMetadata } from './client-queries.ts'
import { findClient } from './clients.ts'
import { createFetchBudget } from './fetch-budget.ts'
import { isMetadataUrl } from './metadata-url.ts'
import { readDocument } from './read-document.ts'

export interface ClientFinder {
  /**
   * Also finds applications that are not registered, whose client id is the URL of their metadata. `network` is the
   * source of the request.
   */
  find(clientId: string, network: string): Promise<ClientRow | undefined>
  close(): Promise<void>
}

interface FinderParts extends Dependencies<'db' | 'clock'> {
  /** For development and tests: allows http, and addresses of this machine and its network. */
  allowInsecure: boolean
}

/** Client ID Metadata Documents (draft-ietf-oauth-client-id-metadata-document), fetched with the safe agent. */
export function createClientFinder({ db, clock, allowInsecure }: FinderParts): ClientFinder {
  const agent = createSafeAgent({
    allowPrivate: allowInsecure,
    connectionsPerHost: OAUTH_LIMITS.documentConnections,
    connectMs: OAUTH_LIMITS.documentMs,
  })
  const mayFetch = createFetchBudget(clock)
  /** Fetches in progress, by client id: concurrent requests share one. */
  const underWay = new Map<string, Promise<ClientRow | undefined>>()

  /** If the document cannot be fetched, the last valid copy counts for a while. */
  const copyOf = (known: ClientRow | undefined) =>
    known && ageOf(known, clock.now()) < OAUTH_LIMITS.documentKeptMs ? known : undefined

  async function fetchClient(clientId: string, known: ClientRow | undefined): Promise<ClientRow | undefined> {
    const reading = await readDocument({ agent, clock }, clientId)
    if (reading === 'away') return copyOf(known)
    const described = reading === 'none' ? undefined : parseDocument(reading.text, clientId)
    if (described)
      return db.tx((tx) => upsertClientByMetadata(tx, clientId, { ...described, readAt: clock.now() }))
    if (known) await forgetMetadata(db.sql, clientId)
    return undefined
  }

  function fetchOnce(clientId: string, known: ClientRow | undefined): Promise<ClientRow | undefined> {
    const fetched = fetchClient(clientId, known).finally(() => underWay.delete(clientId))
    underWay.set(clientId, fetched)
    return fetched
  }

  return {
    async find(clientId, network) {
      const known = await findClient(db.sql, clientId)
      if (!isMetadataUrl(clientId)) return known
      if (known && ageOf(known, clock.now()) < OAUTH_LIMITS.documentFreshMs) return known
      if (!allowInsecure && !clientId.startsWith('https:')) return undefined
      const fetching = underWay.get(clientId)
      if (fetching) return fetching
      const hasRoom = known?.used_at || underWay.size < OAUTH_LIMITS.documentFetches
      return hasRoom && mayFetch({ clientId, known, network }) ? fetchOnce(clientId, known) : copyOf(known)
    },
    close: () => agent.close(),
  }
}

const ageOf = ({ metadata_read_at }: ClientRow, now: Date) =>
  metadata_read_at === null ? Infinity : now.getTime() - metadata_read_at.getTime()

const Document = z.object({
  client_id: z.string(),
  client_name: optionalLine(OAUTH_LIMITS.clientNameCharacters).optional(),
  redirect_uris: z.array(z.string().refine(isPublicRedirectUri)).min(1).max(OAUTH_LIMITS.redirectUris),
  // Only public clients are supported; a client with a secret is not one.
  token_endpoint_auth_method: z.literal('none').optional(),
  client_secret: z.undefined().optional(),
})

/** The document must name its own URL: otherwise whoever can upload a file to a host could impersonate another. */
function parseDocument(text: string, clientId: string) {
  const { data } = Document.safeParse(parseJson(text))
  if (!data || data.client_id !== clientId) return undefined
  return { name: data.client_name || new URL(clientId).host, redirect_uris: data.redirect_uris }
}
