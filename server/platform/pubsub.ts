import type { DatabaseAddress } from './db/address.ts'
import { connect, type Queryable } from './db/database.ts'

/**
 * Tells every process that something changed. Carries ids only, never content: a notification may be lost
 * while a connection is down, so whoever listens must be able to look again (`onGap`).
 */
export interface PubSub {
  subscribe(channel: string, listener: { onMessage(id: string): void; onGap(): void }): Promise<void>
  close(): Promise<void>
}

/** A listener is silent by nature, so a network that is gone must be looked for: found after this and ten seconds. */
const LIMITS = { keepAliveSeconds: 10, closeSeconds: 1 }

export function openPubSub(address: DatabaseAddress): PubSub {
  const sql = connect(address, { max: 1, keep_alive: LIMITS.keepAliveSeconds })
  return {
    async subscribe(channel, { onMessage, onGap }) {
      // Runs on the first connection and again on each later one: what was sent in between is unknown.
      await sql.listen(channel, onMessage, onGap)
    },
    close: () => sql.end({ timeout: LIMITS.closeSeconds }),
  }
}

/** Sent when the transaction commits, and not if it does not. */
export async function publish(tx: Queryable, channel: string, id: string): Promise<void> {
  await tx`select pg_notify(${channel}, ${id})`
}
