import type { Clock } from '../../../platform/clock.ts'
import { randomToken, sha256 } from '../../../platform/crypto/crypto.ts'
import type { Tx } from '../../../platform/db/database.ts'
import type { Actor } from '../../../platform/http/route.ts'
import { markClientUsed } from '../clients/client-queries.ts'
import { OAUTH_LIMITS } from '../limits.ts'
import { insertCode, insertGrant } from '../token/grant-queries.ts'
import type { AuthorizationRequest } from './authorization.ts'

/** The employee has consented: issues a code that the client can exchange for tokens, once. */
export async function issueAuthorizationCode(
  tx: Tx,
  clock: Clock,
  { companyId, employeeId }: Actor,
  { client, redirectUri, codeChallenge, audience }: AuthorizationRequest,
): Promise<string> {
  const now = clock.now()
  const code = randomToken()
  await markClientUsed(tx, client.id, now)
  const grant = {
    company_id: companyId,
    employee_id: employeeId,
    client_id: client.id,
    mcp_only: audience === 'mcp',
    created_at: now,
  }
  await insertCode(tx, {
    code_hash: sha256(code),
    grant_id: await insertGrant(tx, grant),
    redirect_uri: redirectUri,
    code_challenge: codeChallenge,
    expires_at: new Date(now.getTime() + OAUTH_LIMITS.codeMs),
  })
  return code
}
