import type { Queryable, Tx } from '../../platform/db/database.ts'
import { EDGE_HEARTBEAT } from './limits.ts'
import {
  deleteEdge,
  type EdgeAddress,
  lockDeadEdge,
  lockEdge,
  selectIsKnown,
  selectNewId,
  selectRunningEdges,
  selectTimesLeft,
  updateDraining,
  updateHeartbeat,
  upsertEdge,
} from './queries.ts'

export type { EdgeAddress } from './queries.ts'

export const newEdgeId = (sql: Queryable): Promise<string> => selectNewId(sql)

/** At the start, and again after it was wrongly declared dead. */
export const registerEdge = (sql: Queryable, id: string, address: EdgeAddress): Promise<void> =>
  upsertEdge(sql, id, address)

/**
 * Undefined if it was declared dead: its calls and registrations are gone from the database. Also returns
 * whether commands wait, in case a notification was lost.
 */
export const recordHeartbeat = (sql: Queryable, id: string): Promise<{ has_commands: boolean } | undefined> =>
  updateHeartbeat(sql, id)

export const announceDraining = (sql: Queryable, id: string): Promise<void> => updateDraining(sql, id)

/** False once it has stopped, or was reaped. */
export const isRegisteredEdge = (sql: Queryable, id: string): Promise<boolean> => selectIsKnown(sql, id)

/** Edges whose heartbeat is too old, and the time until the heartbeat of another one is, if it sends no more. */
export async function findDeadEdges(sql: Queryable): Promise<{ dead: string[]; nextMs: number | undefined }> {
  const edges = await selectTimesLeft(sql, EDGE_HEARTBEAT.timeoutSeconds)
  return {
    dead: edges.filter(({ left_ms }) => left_ms < 0).map(({ id }) => id),
    nextMs: edges.find(({ left_ms }) => left_ms >= 0)?.left_ms,
  }
}

/** False if its heartbeat is recent again, or another process has reaped it. */
export const claimDeadEdge = (tx: Tx, id: string): Promise<boolean> =>
  lockDeadEdge(tx, id, EDGE_HEARTBEAT.timeoutSeconds)

/** False if another process has reaped it. */
export const claimEdge = (tx: Tx, id: string): Promise<boolean> => lockEdge(tx, id)

export const removeEdge = (tx: Tx, id: string): Promise<void> => deleteEdge(tx, id)

/** Those that accept new calls, oldest first. */
export const runningEdges = (sql: Queryable): Promise<EdgeAddress[]> =>
  selectRunningEdges(sql, EDGE_HEARTBEAT.timeoutSeconds)

/** The oldest of them; undefined if none runs. */
export const runningEdge = async (sql: Queryable): Promise<EdgeAddress | undefined> =>
  (await runningEdges(sql))[0]
