import type { Queryable, Tx } from '../../platform/db/database.ts'
import { EDGE_LIFE } from './limits.ts'
import {
  deleteEdge,
  type EdgeAddress,
  lockEdge,
  lockSilentEdge,
  selectIsKnown,
  selectNewId,
  selectRunningEdge,
  selectSilentEdges,
  updateAliveAt,
  updateDraining,
  upsertEdge,
} from './queries.ts'

export type { EdgeAddress } from './queries.ts'

export const newEdgeId = (sql: Queryable): Promise<string> => selectNewId(sql)

/** At the start, and again after it was wrongly declared dead. */
export const registerEdge = (sql: Queryable, id: string, address: EdgeAddress): Promise<void> =>
  upsertEdge(sql, id, address)

/** False if it was declared dead: its calls and registrations are gone from the database. */
export const giveSignOfLife = (sql: Queryable, id: string): Promise<boolean> => updateAliveAt(sql, id)

export const announceDraining = (sql: Queryable, id: string): Promise<void> => updateDraining(sql, id)

/** False once it has stopped, or was reaped. */
export const isKnownEdge = (sql: Queryable, id: string): Promise<boolean> => selectIsKnown(sql, id)

/** Edges whose heartbeat is too old. */
export const findSilentEdges = (sql: Queryable): Promise<string[]> =>
  selectSilentEdges(sql, EDGE_LIFE.silentSecondsMax)

/** False if its heartbeat is recent again, or another process has reaped it. */
export const takeSilentEdge = (tx: Tx, id: string): Promise<boolean> =>
  lockSilentEdge(tx, id, EDGE_LIFE.silentSecondsMax)

/** False if another process has reaped it. */
export const takeEdge = (tx: Tx, id: string): Promise<boolean> => lockEdge(tx, id)

export const removeEdge = (tx: Tx, id: string): Promise<void> => deleteEdge(tx, id)

export const runningEdge = (sql: Queryable): Promise<EdgeAddress | undefined> =>
  selectRunningEdge(sql, EDGE_LIFE.silentSecondsMax)
