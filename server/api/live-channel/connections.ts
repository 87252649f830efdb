import type { LiveConnection } from './connection.ts'
import { LIVE_CHANNEL_LIMITS } from './limits.ts'

/** The admitted clients. */
export function createLiveConnections() {
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
    size: (): number => all.size,
    add(connection: LiveConnection): void {
      all.add(connection)
      count(connection, 1)
    },
    delete(connection: LiveConnection): void {
      if (all.delete(connection)) count(connection, -1)
    },
    hasRoomFor: (companyId: string): boolean =>
      (counts.get(companyId) ?? 0) < LIVE_CHANNEL_LIMITS.socketsPerCompany,
  }
}
