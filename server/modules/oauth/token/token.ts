import type { Tx } from '../../../platform/db/database.ts'
import type { Dependencies } from '../../../platform/dependencies.ts'
import { fail } from '../../../platform/errors.ts'
import { type Parameters, refuseRepeatedParameters, requireParameter } from '../authorize/parameters.ts'
import { audienceAskedFor, scopeIsAllowed } from '../authorize/scope-and-resource.ts'
import { findClient, unknownClient } from '../clients/clients.ts'
import { OAuthError } from '../errors.ts'
import { OAUTH_LIMITS } from '../limits.ts'
import { redeemCode } from './code-grant.ts'
import { endGrant } from './end-grant.ts'
import type { GrantOutcome, GrantRequest } from './grant.ts'
import { redeemRefreshToken } from './refresh-grant.ts'
import type { TokenResponse } from './tokens.ts'

const GRANTS: Record<string, (tx: Tx, request: GrantRequest) => Promise<GrantOutcome>> = {
  authorization_code: redeemCode,
  refresh_token: redeemRefreshToken,
}

/** The token endpoint: common checks, then the grant itself. */
export async function issueTokens(
  { db, clock, pause }: Dependencies<'db' | 'clock' | 'pause'>,
  { parameters, issuer, receivedAt }: { parameters: Parameters; issuer: string; receivedAt: Date },
): Promise<TokenResponse> {
  refuseRepeatedParameters(parameters)
  const grant = offeredGrant(requireParameter(parameters, 'grant_type'))
  const client =
    (await findClient(db.sql, requireParameter(parameters, 'client_id'))) ?? fail(unknownClient())
  if (parameters.get('scope')) scopeIsAllowed(requireParameter(parameters, 'scope'))
  const audience = audienceAskedFor(parameters, issuer)
  const outcome = await db.tx((tx) => grant(tx, { client, parameters, audience, receivedAt, clock }))
  if ('refusal' in outcome) {
    const { refusal, stolenGrantId } = outcome
    if (stolenGrantId !== undefined) await db.tx((tx) => endGrant(tx, stolenGrantId))
    throw refusal
  }
  await pause(OAUTH_LIMITS.togetherMs)
  return outcome.answer
}

function offeredGrant(grantType: string) {
  if (Object.hasOwn(GRANTS, grantType)) return GRANTS[grantType]!
  throw new OAuthError('unauthorized_client', 'Use the grant authorization_code or refresh_token.')
}
