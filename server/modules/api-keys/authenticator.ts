import { sameBytes, sha256 } from '../../platform/crypto/crypto.ts'
import type { Dependencies } from '../../platform/dependencies.ts'
import type { RequestActor } from '../../platform/http/route.ts'
import { idOfLabel, keyLabelOf, parseKey } from './key-text.ts'
import { API_KEY_LIMITS } from './limits.ts'
import { selectKey, upsertKeyUse } from './queries.ts'

export interface ApiKeyAuthenticator {
  /** Synchronous for a cached key, so that most requests need not wait for a promise. */
  authenticate(key: string): RequestActor | undefined | Promise<RequestActor | undefined>
}

interface Remembered {
  id: string
  actor: RequestActor
  lastUsedAt: Date | null
  secretHash: Buffer
  secret?: Buffer
  until: number
}

/** The channel on which the database publishes the id of each deleted key. */
export const API_KEY_DELETED_CHANNEL = 'api_key_gone'

export async function createApiKeyAuthenticator({
  db: { sql },
  pubsub,
  clock,
}: Dependencies<'db' | 'pubsub' | 'clock'>): Promise<ApiKeyAuthenticator> {
  /** By label. */
  const remembered = new Map<string, Remembered>()
  let revocations = 0

  await pubsub.subscribe(API_KEY_DELETED_CHANNEL, {
    onMessage(id) {
      revocations++
      remembered.delete(keyLabelOf(id))
    },
    onGap() {
      revocations++
      remembered.clear()
    },
  })

  async function find(label: string): Promise<Remembered | undefined> {
    const before = revocations
    const id = idOfLabel(label)
    const row = id && (await selectKey(sql, id))
    if (!row) return undefined
    const found = {
      id,
      lastUsedAt: row.last_used_at,
      actor: {
        companyId: row.company_id,
        employeeId: row.employee_id,
        credential: { kind: 'api_key' as const, id },
      },
      secretHash: row.secret_hash,
      until: clock.now().getTime() + API_KEY_LIMITS.rememberMs,
    }
    // A key that was revoked while it was being read must not be cached.
    if (before === revocations) remember(label, found)
    return found
  }

  function remember(label: string, found: Remembered): void {
    remembered.delete(label)
    remembered.set(label, found)
    if (remembered.size > API_KEY_LIMITS.keys) remembered.delete(remembered.keys().next().value!)
  }

  return {
    authenticate(key) {
      const parsed = parseKey(key)
      if (!parsed) return undefined
      const known = remembered.get(parsed.label)
      return known && known.until > clock.now().getTime()
        ? actorIf(known, parsed.secret)
        : find(parsed.label).then((found) => found && proven(found, parsed.secret))
    },
  }

  /** A key in use is read about once a second, which is often enough to store when it was last used. */
  async function proven(found: Remembered, secret: string): Promise<RequestActor | undefined> {
    const actor = actorIf(found, secret)
    const now = clock.now()
    const noted = found.lastUsedAt?.getTime() ?? 0
    if (actor && now.getTime() - noted >= API_KEY_LIMITS.lastUseMs) await upsertKeyUse(sql, found.id, now)
    return actor
  }
}

/** A verified secret is cached too: comparing it takes a third of the time of hashing and comparing. */
function actorIf(known: Remembered, text: string): RequestActor | undefined {
  const secret = Buffer.from(text)
  if (known.secret) return sameBytes(known.secret, secret) ? known.actor : undefined
  if (!sameBytes(known.secretHash, sha256(text))) return undefined
  known.secret = secret
  return known.actor
}
