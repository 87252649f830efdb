import { sha256 } from '../../../platform/crypto/crypto.ts'
import type { Database } from '../../../platform/db/database.ts'
import { type Parameters, refuseRepeatedParameters } from '../authorize/parameters.ts'
import { findClient } from '../clients/clients.ts'
import { endGrant } from './end-grant.ts'
import { selectGrantOfToken } from './grant-queries.ts'

/**
 * RFC 7009: token revocation. Either token ends its whole grant. The response reveals nothing: it is the same for an
 * unknown token, another client's token and none.
 */
export async function revokeToken(db: Database, parameters: Parameters): Promise<void> {
  refuseRepeatedParameters(parameters)
  const token = parameters.get('token')
  const client = await findClient(db.sql, parameters.get('client_id') ?? '')
  if (!client || token === null) return
  await db.tx(async (tx) => {
    const grantId = await selectGrantOfToken(tx, sha256(token), client.id)
    if (grantId) await endGrant(tx, grantId)
  })
}
