import { sha256 } from '../../../platform/crypto/crypto.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { type Parameters, requireParameter } from '../authorize/parameters.ts'
import { narrowedTo } from '../authorize/scope-and-resource.ts'
import type { ClientRow } from '../clients/client-queries.ts'
import { OAuthError } from '../errors.ts'
import { lockCode, useCode } from './grant-queries.ts'
import { type GrantOutcome, type GrantRequest, isConcurrentUse } from './grant.ts'
import { newTokens, storeTokens } from './tokens.ts'

type Code = NonNullable<Awaited<ReturnType<typeof lockCode>>>

interface Redemption {
  code: Code
  client: ClientRow
  parameters: Parameters
  now: Date
}

/** In this order. A failed attempt does not use up the code: it is useless without the verifier. */
const CHECKS = [codeIsOfThisClient, codeIsFresh, redirectUriIsTheSame, verifierFitsChallenge]

/** Exchanges an authorization code for tokens, once. */
export async function redeemCode(tx: Tx, request: GrantRequest): Promise<GrantOutcome> {
  const { client, parameters, clock } = request
  const codeHash = sha256(requireParameter(parameters, 'code'))
  const code = await lockCode(tx, codeHash)
  if (!code) throw invalidCode('is not known')
  const now = clock.now()
  for (const check of CHECKS) check({ code, client, parameters, now })
  const audience = narrowedTo(request.audience, code.mcp_only ? 'mcp' : 'everything')
  if (!(await useCode(tx, codeHash, now))) return refuseUsed(tx, codeHash, request)
  const answer = newTokens(now)
  await storeTokens(tx, code.grant_id, { answer, audience, now })
  return { answer }
}

function codeIsOfThisClient({ code, client }: Redemption): void {
  if (code.client_id !== client.id) throw invalidCode('was given to another client')
}

function codeIsFresh({ code, now }: Redemption): void {
  if (code.expires_at <= now) throw invalidCode('has expired')
}

function redirectUriIsTheSame({ code, parameters }: Redemption): void {
  if (requireParameter(parameters, 'redirect_uri') !== code.redirect_uri) {
    throw invalidCode('was requested with another redirect_uri')
  }
}

/** RFC 7636 §4.1 and §4.6. */
function verifierFitsChallenge({ code, parameters }: Redemption): void {
  const verifier = requireParameter(parameters, 'code_verifier')
  const fits = sha256(verifier).toString('base64url') === code.code_challenge
  if (!fits || !/^[A-Za-z0-9\-._~]{43,128}$/.test(verifier)) {
    throw invalidCode('was requested with the code_challenge of another code_verifier')
  }
}

/**
 * RFC 6749 §4.1.2: a code that is used again may have been stolen, so its tokens are revoked. Except for concurrent
 * requests: those are one client that asked twice.
 */
async function refuseUsed(
  tx: Tx,
  codeHash: Buffer,
  { receivedAt }: Pick<GrantRequest, 'receivedAt'>,
): Promise<GrantOutcome> {
  const used = await lockCode(tx, codeHash)
  const isStolen = used?.used_at && !isConcurrentUse(used.used_at, receivedAt)
  return { refusal: invalidCode('has been used already'), ...(isStolen && { stolenGrantId: used.grant_id }) }
}

const invalidCode = (why: string) => new OAuthError('invalid_grant', `The code ${why}.`)
