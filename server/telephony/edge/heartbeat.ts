import { EDGE_LIFE, type EdgeAddress, giveSignOfLife, registerEdge } from '../../modules/edges/index.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Log } from '../../platform/log.ts'
import { repeat } from './repeat.ts'

interface LifeParts {
  db: Database
  clock: Clock
  log: Log
  edgeId: string
  address: EdgeAddress
  /** After every sign of life that arrived. */
  onAlive(): Promise<void>
  /** The edge was taken for dead, and is known again. */
  onReturned(): Promise<void>
}

/** Shows the others that this edge lives. The returned function ends it. */
export function keepAlive(parts: LifeParts): () => Promise<void> {
  const { db, log, edgeId, address } = parts

  async function sign(): Promise<void> {
    try {
      if (!(await giveSignOfLife(db.sql, edgeId))) {
        log.warn('this edge was taken for dead; it is back')
        await registerEdge(db.sql, edgeId, address)
        await parts.onReturned()
      }
      await parts.onAlive()
    } catch (err) {
      log.warn({ err }, 'the database could not be told that this edge lives')
    }
  }

  return repeat(parts, EDGE_LIFE.signEveryMs, sign)
}
