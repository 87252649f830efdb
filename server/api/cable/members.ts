import type { Connection } from './connection.ts'
import { LIMITS } from './limits.ts'

/** The admitted clients. */
export interface Members extends Iterable<Connection> {
  size(): number
  add(connection: Connection): void
  delete(connection: Connection): void
  hasRoomFor(companyId: string): boolean
}

export function createMembers(): Members {
  const all = new Set<Connection>()
  const counts = new Map<string, number>()
  const count = ({ admission }: Connection, change: 1 | -1) => {
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
    hasRoomFor: (companyId) => (counts.get(companyId) ?? 0) < LIMITS.socketsPerCompany,
  }
}
