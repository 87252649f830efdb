import { companiesCallingAt, endCallsOfEdge } from '../../modules/calls/index.ts'
import {
  companiesRegisteredAt,
  dropExpiredRegistrations,
  dropRegistrationsOfEdge,
} from '../../modules/devices/index.ts'
import {
  EDGE_LIFE,
  findSilentEdges,
  removeEdge,
  takeEdge,
  takeSilentEdge,
} from '../../modules/edges/index.ts'
import { withQueues } from '../../modules/queue/index.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Database, Tx } from '../../platform/db/database.ts'
import type { Log } from '../../platform/log.ts'
import { LIMITS } from '../limits.ts'
import { repeat } from './repeat.ts'

/** After a time without the database, the others need as long as this to give a sign of life again. */
const GRACE_MS = 2 * EDGE_LIFE.signEveryMs

type Burial = 'buried' | 'not_ours' | 'look_again'

/** Cleans up after an edge: its calls end, and its devices are deregistered. */
async function bury(
  db: Database,
  edgeId: string,
  take: (tx: Tx, edgeId: string) => Promise<boolean>,
): Promise<boolean> {
  const attempt = () =>
    db.tx(async (tx): Promise<Burial> => {
      const companyIds = await companiesAt(tx, edgeId)
      return withQueues(tx, companyIds, async (queue) => {
        if (!(await take(queue, edgeId))) return 'not_ours'
        // A call or a registration of another company may have been added since the query.
        const known = new Set(companyIds)
        if ((await companiesAt(queue, edgeId)).some((id) => !known.has(id))) return 'look_again'
        await endCallsOfEdge(queue, edgeId)
        await dropRegistrationsOfEdge(queue, edgeId)
        await removeEdge(queue, edgeId)
        return 'buried'
      })
    })
  let burial = await attempt()
  while (burial === 'look_again') burial = await attempt()
  return burial === 'buried'
}

/** Those that have calls or phones there. */
async function companiesAt(tx: Tx, edgeId: string): Promise<string[]> {
  const found = await Promise.all([companiesCallingAt(tx, edgeId), companiesRegisteredAt(tx, edgeId)])
  return [...new Set(found.flat())]
}

/** For an edge that leaves, or one that is known to be gone. */
export const buryEdge = (db: Database, edgeId: string): Promise<boolean> => bury(db, edgeId, takeEdge)

/** Reaps dead edges. Any number of processes may run this. Returns a function that stops it. */
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

  /** A process that was without the database for a while must not take missing heartbeats of that time for death. */
  function isSteady(): boolean {
    const now = nowMs()
    if (now - reachedAt > GRACE_MS) steadySince = now
    reachedAt = now
    return now - steadySince >= GRACE_MS
  }

  async function look(): Promise<void> {
    await dropExpiredRegistrations(db).catch((err: unknown) => {
      log.warn({ err }, 'expired registrations could not be removed; retrying')
    })
    try {
      const silent = await findSilentEdges(db.sql)
      if (!isSteady()) return
      for (const edgeId of silent) await buryIfDead(edgeId)
    } catch (err) {
      log.debug({ err }, 'the query for dead edges failed')
    }
  }

  /** An edge that cannot be reaped must not block the others. */
  async function buryIfDead(edgeId: string): Promise<void> {
    try {
      if (await bury(db, edgeId, takeSilentEdge))
        log.warn({ edge: edgeId }, 'an edge died: its calls were ended and its devices deregistered')
    } catch (err) {
      log.warn({ err, edge: edgeId }, 'a dead edge could not be reaped; retrying')
    }
  }

  return repeat({ clock, log }, LIMITS.reapEveryMs, look)
}
