import { z } from 'zod'

import { createVault, randomToken, sha256 } from '../../../platform/crypto/crypto.ts'
import type { Tx } from '../../../platform/db/database.ts'
import type { Audience } from '../authorize/scope-and-resource.ts'
import { OAUTH_LIMITS } from '../limits.ts'
import { SCOPE } from '../scope.ts'
import { insertTokens } from './grant-queries.ts'

const TokenResponse = z.object({
  access_token: z.string(),
  token_type: z.literal('Bearer'),
  expires_in: z.int(),
  refresh_token: z.string(),
  scope: z.literal(SCOPE),
  created_at: z.int(),
})
export type TokenResponse = z.output<typeof TokenResponse>

/** 256 random bits each; the prefix identifies a leaked token. */
export function newTokens(now: Date): TokenResponse {
  return {
    access_token: `bhat_${randomToken()}`,
    token_type: 'Bearer',
    expires_in: OAUTH_LIMITS.accessTokenMs / 1000,
    refresh_token: `bhrt_${randomToken()}`,
    scope: SCOPE,
    created_at: Math.floor(now.getTime() / 1000),
  }
}

/** Only hashes are stored. */
export async function storeTokens(
  tx: Tx,
  grantId: string,
  { answer, audience, now }: { answer: TokenResponse; audience: Audience; now: Date },
): Promise<void> {
  const until = (ms: number) => new Date(now.getTime() + ms)
  await insertTokens(tx, grantId, {
    access: { hash: sha256(answer.access_token), expiresAt: until(OAUTH_LIMITS.accessTokenMs) },
    refresh: { hash: sha256(answer.refresh_token), expiresAt: until(OAUTH_LIMITS.refreshTokenMs) },
    mcpOnly: audience === 'mcp',
  })
}

const SEALED_AS = 'answer to the use of a refresh token'

/** Can be opened only with the refresh token, which we do not store: a copy of the database reveals no tokens. */
export function sealTokenResponse(refreshToken: string, answer: TokenResponse): Buffer {
  return createVault(refreshToken).seal(JSON.stringify(answer), SEALED_AS)
}

export function openTokenResponse(refreshToken: string, sealed: Buffer): TokenResponse {
  return TokenResponse.parse(JSON.parse(createVault(refreshToken).open(sealed, SEALED_AS)))
}
