import { sha256 } from '../../../platform/crypto/crypto.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { requireParameter } from '../authorize/parameters.ts'
import { narrowedTo } from '../authorize/scope-and-resource.ts'
import type { ClientRow } from '../clients/client-queries.ts'
import { OAuthError } from '../errors.ts'
import { lockRefreshToken, useRefreshToken } from './grant-queries.ts'
import { type GrantOutcome, type GrantRequest, isConcurrentUse } from './grant.ts'
import { newTokens, openTokenResponse, sealTokenResponse, storeTokens } from './tokens.ts'

type RefreshToken = NonNullable<Awaited<ReturnType<typeof lockRefreshToken>>>

interface Refresh {
  token: RefreshToken
  client: ClientRow
  now: Date
}

const CHECKS = [tokenIsOfThisClient, tokenIsFresh]

/** Replaces a refresh token by the next of its family. */
export async function redeemRefreshToken(tx: Tx, request: GrantRequest): Promise<GrantOutcome> {
  const { client, parameters, clock } = request
  const presented = requireParameter(parameters, 'refresh_token')
  const tokenHash = sha256(presented)
  const token = await lockRefreshToken(tx, tokenHash)
  if (!token) throw invalidToken('is not known, or was revoked')
  const now = clock.now()
  for (const check of CHECKS) check({ token, client, now })
  const audience = narrowedTo(request.audience, token.mcp_only ? 'mcp' : 'everything')
  const answer = newTokens(now)
  if (!(await useRefreshToken(tx, tokenHash, now, sealTokenResponse(presented, answer)))) {
    return answerUsed(tx, presented, request)
  }
  await storeTokens(tx, token.grant_id, { answer, audience, now })
  return { answer }
}

function tokenIsOfThisClient({ token, client }: Refresh): void {
  if (token.client_id !== client.id) throw invalidToken('was given to another client')
}

function tokenIsFresh({ token, now }: Refresh): void {
  if (token.expires_at <= now) throw invalidToken('has expired')
}

/**
 * A refresh token that is used again may have been stolen, so its whole family is revoked. Concurrent requests are
 * one client that asked twice, and get the same response.
 */
async function answerUsed(
  tx: Tx,
  presented: string,
  { receivedAt }: Pick<GrantRequest, 'receivedAt'>,
): Promise<GrantOutcome> {
  const used = await lockRefreshToken(tx, sha256(presented))
  if (!used?.used_at || !used.answer_sealed) return { refusal: invalidToken('was revoked') }
  if (isConcurrentUse(used.used_at, receivedAt))
    return { answer: openTokenResponse(presented, used.answer_sealed) }
  return { refusal: invalidToken('has been used already'), stolenGrantId: used.grant_id }
}

const invalidToken = (why: string) => new OAuthError('invalid_grant', `The refresh token ${why}.`)
