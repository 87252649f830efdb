import { sha256 } from '../../../platform/crypto/crypto.ts'
import type { Dependencies } from '../../../platform/dependencies.ts'
import type { RequestActor } from '../../../platform/http/route.ts'
import { OAUTH_LIMITS } from '../limits.ts'
import { selectAccessToken, upsertGrantUse } from './grant-queries.ts'

/** Where a token is used: some are valid only for `/mcp` and the calls of its tools. */
export type TokenUse = 'api' | 'mcp'

export interface AccessTokenAuthenticator {
  /** Synchronous for a cached token. */
  authenticate(token: string, use: TokenUse): RequestActor | undefined | Promise<RequestActor | undefined>
  /** For the live channel: also returns the expiry. */
  admit(token: string): Promise<{ actor: RequestActor; expiresAt: Date } | undefined>
}

/** The channel on which the database notifies of deleted tokens. */
export const ACCESS_TOKEN_DELETED_CHANNEL = 'access_token_gone'

/** Identifies a token where the token itself must not appear. */
export const accessTokenId = (token: string) => sha256(token).toString('hex')

interface Found {
  actor: RequestActor
  mcpOnly: boolean
  expiresAt: Date
}

interface Remembered extends Found {
  until: number
}

const actorFor = (use: TokenUse, found: Found | undefined) =>
  found && (use === 'mcp' || !found.mcpOnly) ? found.actor : undefined

export async function createAccessTokenAuthenticator({
  db: { sql },
  pubsub,
  clock,
}: Dependencies<'db' | 'pubsub' | 'clock'>): Promise<AccessTokenAuthenticator> {
  /** By the token's hash, in hex. */
  const remembered = new Map<string, Remembered>()
  let revocations = 0

  await pubsub.subscribe(ACCESS_TOKEN_DELETED_CHANNEL, {
    onMessage(hash) {
      revocations++
      remembered.delete(hash)
    },
    onGap() {
      revocations++
      remembered.clear()
    },
  })

  async function find(hash: Buffer): Promise<Found | undefined> {
    const before = revocations
    const row = await selectAccessToken(sql, hash)
    const now = clock.now().getTime()
    if (!row || row.expires_at.getTime() <= now) return undefined
    // A token in use is looked up about once a second: a good moment to store its last use.
    if (now - (row.last_used_at?.getTime() ?? 0) >= OAUTH_LIMITS.lastUseMs)
      await upsertGrantUse(sql, row.grant_id, new Date(now))
    const credential = { kind: 'oauth_grant' as const, id: row.grant_id }
    const found = {
      actor: { companyId: row.company_id, employeeId: row.employee_id, credential },
      mcpOnly: row.mcp_only,
      expiresAt: row.expires_at,
    }
    const until = Math.min(now + OAUTH_LIMITS.rememberMs, row.expires_at.getTime())
    // A token that was revoked during the query must not be cached.
    if (before === revocations) remember(hash.toString('hex'), { ...found, until })
    return found
  }

  function remember(hash: string, found: Remembered): void {
    remembered.delete(hash)
    remembered.set(hash, found)
    if (remembered.size > OAUTH_LIMITS.tokens) remembered.delete(remembered.keys().next().value!)
  }

  return {
    authenticate(token, use) {
      if (token.length > OAUTH_LIMITS.tokenCharacters) return undefined
      const hash = sha256(token)
      const known = remembered.get(hash.toString('hex'))
      if (known && known.until > clock.now().getTime()) return actorFor(use, known)
      return find(hash).then((found) => actorFor(use, found))
    },
    async admit(token) {
      const found = token.length > OAUTH_LIMITS.tokenCharacters ? undefined : await find(sha256(token))
      return found && !found.mcpOnly ? { actor: found.actor, expiresAt: found.expiresAt } : undefined
    },
  }
}
