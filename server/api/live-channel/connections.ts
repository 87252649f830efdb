import type { LiveConnection } from './connection.ts'
import { LIVE_CHANNEL_LIMITS } from './limits.ts'

/** The admitted clients. */
export interface LiveConnections extends Iterable<LiveConnection> {
  size(): number
  add(connection: LiveConnection): void
  delete(connection: LiveConnection): void
  hasRoomFor(companyId: string): boolean
}

export function createLiveConnections(): LiveConnections {
  const all = new Set<LiveConnection>()
  const counts = new Map<string, number>()
  const count = ({ admission }: LiveConnection, change: 1 | -1) => {
    const { companyId } = admission.actor
    const next = (counts.get(companyId) ?? 0) + change
    if (next > 0) counts.set(companyId, next)
    else counts.delete(companyId)
  }
  return {
    [Symbol.iterator]: () => all.values(),
    size: () => all.size,
    add(connection) {
      all.add(connection)
      count(connection, 1)
    },
    delete(connection) {
      if (all.delete(connection)) count(connection, -1)
    },
    hasRoomFor: (companyId) => (counts.get(companyId) ?? 0) < LIVE_CHANNEL_LIMITS.socketsPerCompany,
  }
}
