import { z } from 'zod'

import type { Queryable, Tx } from '../../../platform/db/database.ts'
import { decodeId, encodeId } from '../../../platform/ids.ts'
import { requiredLine } from '../../../platform/schemas.ts'
import { isFirstPartyRedirectUri } from '../authorize/redirect-uris.ts'
import { OAuthError } from '../errors.ts'
import { OAUTH_LIMITS } from '../limits.ts'
import { type ClientRow, insertClient, selectClient, selectClientByMetadata } from './client-queries.ts'
import { isMetadataUrl } from './metadata-url.ts'

const RedirectUri = z.string().refine(isFirstPartyRedirectUri, {
  error: 'must be an absolute URI without a fragment, such as https://app.example/callback',
})

const FirstPartyClient = z.object({
  name: requiredLine(OAUTH_LIMITS.clientNameCharacters),
  redirect_uris: z
    .array(RedirectUri)
    .min(1, { error: 'must name at least one' })
    .max(OAUTH_LIMITS.redirectUris),
})

/** For the operator: a client with a permanent id, which may use a custom scheme. */
export async function registerFirstPartyClient(
  tx: Tx,
  input: z.input<typeof FirstPartyClient>,
): Promise<{ id: string }> {
  return insertClient(tx, { ...FirstPartyClient.parse(input), first_party: true })
}

/** The public client id. */
export const clientIdOf = ({ id, metadata_url }: ClientRow) => metadata_url ?? encodeId('cli', id)

export async function findClient(sql: Queryable, clientId: string): Promise<ClientRow | undefined> {
  const id = decodeId('cli', clientId)
  if (id) return selectClient(sql, id)
  return isMetadataUrl(clientId) ? selectClientByMetadata(sql, clientId) : undefined
}

export const unknownClient = () => new OAuthError('invalid_client', 'There is no client with this client_id.')
