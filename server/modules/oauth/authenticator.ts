import type { Clock } from '../../platform/clock.ts'
import { sha256 } from '../../platform/crypto.ts'
import type { Sql } from '../../platform/db/database.ts'
import type { Actor } from '../../platform/http/route.ts'
import type { PubSub } from '../../platform/pubsub.ts'
import { selectAccessToken, upsertGrantUse } from './grant-queries.ts'

export interface AccessTokenAuthenticator {
  /** At once for a token that is remembered. */
  authenticate(token: string): Actor | undefined | Promise<Actor | undefined>
  /** For who stays: also until when. */
  admit(token: string): Promise<{ actor: Actor; expiresAt: Date } | undefined>
}

/** The database announces each token that is gone, by this. */
export const ACCESS_TOKEN_GONE = 'access_token_gone'

/** By which a token is known where the token itself must not be. */
export const accessTokenId = (token: string) => sha256(token).toString('hex')

interface Remembered {
  actor: Actor
  until: number
}

/** As for API keys: the database announces a revocation, and what is remembered is soon forgotten anyway. */
const LIMITS = {
  rememberMs: 800,
  tokens: 10_000,
  tokenCharacters: 128,
  /** The last use of what was granted is known this exactly. */
  lastUseMs: 60_000,
}

export async function createAccessTokenAuthenticator({
  sql,
  pubsub,
  clock,
}: {
  sql: Sql
  pubsub: PubSub
  clock: Clock
}): Promise<AccessTokenAuthenticator> {
  /** By the token's hash, in hex. */
  const remembered = new Map<string, Remembered>()
  let revocations = 0

  await pubsub.subscribe(ACCESS_TOKEN_GONE, {
    onMessage(hash) {
      revocations++
      remembered.delete(hash)
    },
    onGap() {
      revocations++
      remembered.clear()
    },
  })

  async function find(hash: Buffer): Promise<{ actor: Actor; expiresAt: Date } | undefined> {
    const before = revocations
    const row = await selectAccessToken(sql, hash)
    const now = clock.now().getTime()
    if (!row || row.expires_at.getTime() <= now) return undefined
    // A token is looked up about once a second while it is used: a good moment to note that it is.
    if (now - (row.last_used_at?.getTime() ?? 0) >= LIMITS.lastUseMs)
      await upsertGrantUse(sql, row.grant_id, new Date(now))
    const actor = { companyId: row.company_id, employeeId: row.employee_id }
    const until = Math.min(now + LIMITS.rememberMs, row.expires_at.getTime())
    // A token revoked while it was being read must not be remembered.
    if (before === revocations) remember(hash.toString('hex'), { actor, until })
    return { actor, expiresAt: row.expires_at }
  }

  function remember(hash: string, found: Remembered): void {
    remembered.delete(hash)
    remembered.set(hash, found)
    if (remembered.size > LIMITS.tokens) remembered.delete(remembered.keys().next().value!)
  }

  return {
    authenticate(token) {
      if (token.length > LIMITS.tokenCharacters) return undefined
      const hash = sha256(token)
      const known = remembered.get(hash.toString('hex'))
      if (known && known.until > clock.now().getTime()) return known.actor
      return find(hash).then((found) => found?.actor)
    },
    async admit(token) {
      return token.length > LIMITS.tokenCharacters ? undefined : find(sha256(token))
    },
  }
}
