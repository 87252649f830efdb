import { z } from 'zod'

import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/db/database.ts'
import { createSafeAgent } from '../../platform/safe-agent.ts'
import { StorableText } from '../../platform/schemas.ts'
import { type ClientRow, upsertClientByMetadata } from './client-queries.ts'
import { findClient } from './clients.ts'
import { LIMITS } from './limits.ts'
import { isMetadataUrl } from './metadata-url.ts'
import { readDocument } from './read-document.ts'
import { isPublicRedirectUri } from './redirect-uris.ts'

export interface ClientFinder {
  /** Also an application that nobody registered, whose id is the address where it describes itself. */
  find(clientId: string): Promise<ClientRow | undefined>
  close(): Promise<void>
}

interface FinderParts {
  db: Database
  clock: Clock
  /** For development and tests: also http, also addresses of this machine and its network. */
  allowInsecure: boolean
}

/** Client ID Metadata Documents (draft-ietf-oauth-client-id-metadata-document), fetched as only strangers' URLs are. */
export function createClientFinder({ db, clock, allowInsecure }: FinderParts): ClientFinder {
  const agent = createSafeAgent({
    allowPrivate: allowInsecure,
    connectionsPerHost: LIMITS.documentConnections,
    connectMs: LIMITS.documentMs,
  })
  const mayFetch = createBudget(clock)

  return {
    async find(clientId) {
      const known = await findClient(db.sql, clientId)
      if (!isMetadataUrl(clientId)) return known
      if (known && isFresh(known, clock.now())) return known
      if (!allowInsecure && !clientId.startsWith('https:')) return undefined
      const text = mayFetch() ? await readDocument({ agent, clock }, clientId) : undefined
      const described = text === undefined ? undefined : parseDocument(text, clientId)
      if (!described) return undefined
      return db.tx((tx) => upsertClientByMetadata(tx, clientId, { ...described, readAt: clock.now() }))
    },
    close: () => agent.close(),
  }
}

const isFresh = ({ metadata_read_at }: ClientRow, now: Date) =>
  metadata_read_at !== null && now.getTime() - metadata_read_at.getTime() < LIMITS.documentFreshMs

const Document = z.object({
  client_id: z.string(),
  client_name: StorableText.trim().max(LIMITS.clientNameCharacters).nullish(),
  redirect_uris: z.array(z.string().refine(isPublicRedirectUri)).min(1).max(LIMITS.redirectUris),
  // Public clients are the only ones there are here; who holds a secret is not one.
  token_endpoint_auth_method: z.literal('none').optional(),
  client_secret: z.undefined().optional(),
})

/** The document must name its own address: else whoever can put a file on a host could speak for another. */
function parseDocument(text: string, clientId: string) {
  const { data } = Document.safeParse(jsonOf(text))
  if (!data || data.client_id !== clientId) return undefined
  return { name: data.client_name || new URL(clientId).host, redirect_uris: data.redirect_uris }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Anybody can make us fetch, by opening an address of ours; so there is a limit to it, for each process. */
function createBudget(clock: Clock): () => boolean {
  let from = clock.now().getTime()
  let spent = 0
  return () => {
    const now = clock.now().getTime()
    if (now - from >= LIMITS.documentsMs) {
      from = now
      spent = 0
    }
    return ++spent <= LIMITS.documents
  }
}
