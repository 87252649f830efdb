import { dropExpiredRegistrations, dropRegistrationsOfEdge } from '../modules/devices/index.ts'
import { EDGE_LIFE, removeEdge, takeEdge, takeSilentEdge } from '../modules/edges/index.ts'
import { endCallsOfEdge } from '../modules/live-calls/index.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database, Tx } from '../platform/db/database.ts'
import type { Log } from '../platform/log.ts'
import { repeat } from './repeat.ts'

const LIMITS = {
  lookEveryMs: 2_000,
  /** After a time without the database, the others need as long as this to give a sign of life again. */
  graceMs: 2 * EDGE_LIFE.signEveryMs,
}

/** Everything that an edge leaves behind: its calls end, and its phones are registered nowhere. */
async function bury(tx: Tx, edgeId: string): Promise<void> {
  await endCallsOfEdge(tx, edgeId)
  await dropRegistrationsOfEdge(tx, edgeId)
  await removeEdge(tx, edgeId)
}

/** For an edge that leaves, or one that is known to be gone. */
export async function buryEdge(db: Database, edgeId: string): Promise<boolean> {
  return db.tx(async (tx) => {
    const isOurs = await takeEdge(tx, edgeId)
    if (isOurs) await bury(tx, edgeId)
    return isOurs
  })
}

/** Looks for edges that have died. Any number of processes may; the returned function ends it. */
export function startReaper({
  db,
  clock,
  log,
}: {
  db: Database
  clock: Clock
  log: Log
}): () => Promise<void> {
  let reachedAt = -Infinity
  let steadySince = Infinity
  const nowMs = () => clock.now().getTime()

  /** Who was without the database for a while must not take the others' silence in that time for death. */
  function isSteady(): boolean {
    const now = nowMs()
    if (now - reachedAt > LIMITS.graceMs) steadySince = now
    reachedAt = now
    return now - steadySince >= LIMITS.graceMs
  }

  async function look(): Promise<void> {
    try {
      await db.tx((tx) => dropExpiredRegistrations(tx))
      if (!isSteady()) return
      for (let edgeId = await buryOne(); edgeId; edgeId = await buryOne())
        log.warn({ edge: edgeId }, 'an edge has died: its calls have ended, its phones register elsewhere')
    } catch (err) {
      log.debug({ err }, 'could not look for edges that have died')
    }
  }

  const buryOne = () =>
    db.tx(async (tx) => {
      const edgeId = await takeSilentEdge(tx)
      if (edgeId) await bury(tx, edgeId)
      return edgeId
    })

  return repeat(clock, LIMITS.lookEveryMs, look)
}
