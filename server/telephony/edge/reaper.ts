import { companiesCallingAt, endCallsOfEdge } from '../../modules/calls/index.ts'
import {
  companiesRegisteredAt,
  removeExpiredRegistrations,
  removeRegistrationsOfEdge,
} from '../../modules/devices/index.ts'
import {
  claimDeadEdge,
  claimEdge,
  EDGE_HEARTBEAT,
  findDeadEdges,
  removeEdge,
} from '../../modules/edges/index.ts'
import { withQueues } from '../../modules/queue/index.ts'
import type { Database, Tx } from '../../platform/db/database.ts'
import type { Dependencies } from '../../platform/dependencies.ts'
import { TELEPHONY_LIMITS } from '../limits.ts'
import { repeat } from './repeat.ts'

/** After an outage of the database, other edges need this long to send a heartbeat again. */
const GRACE_MS = 2 * EDGE_HEARTBEAT.everyMs
/** A longer time without a check was an outage, of the database or of this process. */
const OUTAGE_MS = TELEPHONY_LIMITS.reapEveryMs + EDGE_HEARTBEAT.everyMs

type Reaping = 'reaped' | 'not_ours' | 'retry'

/** Cleans up after an edge: its calls end, and its devices are deregistered. */
async function reap(
  db: Database,
  edgeId: string,
  take: (tx: Tx, edgeId: string) => Promise<boolean>,
): Promise<boolean> {
  const attempt = () =>
    db.tx(async (tx): Promise<Reaping> => {
      const companyIds = await companiesAt(tx, edgeId)
      return withQueues(tx, companyIds, async (queue) => {
        if (!(await take(queue, edgeId))) return 'not_ours'
        // A call or a registration of another company may have been added since the query.
        const known = new Set(companyIds)
        if ((await companiesAt(queue, edgeId)).some((id) => !known.has(id))) return 'retry'
        await endCallsOfEdge(queue, edgeId)
        await removeRegistrationsOfEdge(queue, edgeId)
        await removeEdge(queue, edgeId)
        return 'reaped'
      })
    })
  let outcome = await attempt()
  while (outcome === 'retry') outcome = await attempt()
  return outcome === 'reaped'
}

/** Those that have calls or phones there. */
async function companiesAt(tx: Tx, edgeId: string): Promise<string[]> {
  const found = await Promise.all([companiesCallingAt(tx, edgeId), companiesRegisteredAt(tx, edgeId)])
  return [...new Set(found.flat())]
}

/** For an edge that leaves, or one that is known to be gone. */
export const deregisterEdge = (db: Database, edgeId: string): Promise<boolean> => reap(db, edgeId, claimEdge)

/** Reaps dead edges. Any number of processes may run this. Returns a function that stops it. */
export function startReaper({ db, clock, log }: Dependencies<'db' | 'clock' | 'log'>): () => Promise<void> {
  let reachedAt = -Infinity
  let steadySince = Infinity
  const nowMs = () => clock.now().getTime()

  /** A process that was without the database for a while must not take missing heartbeats of that time for death. */
  function isSteady(): boolean {
    const now = nowMs()
    if (now - reachedAt > OUTAGE_MS) steadySince = now
    reachedAt = now
    return now - steadySince >= GRACE_MS
  }

  /** Returns how soon to check again: when an edge that is alive now would count as dead. */
  async function check(): Promise<number | void> {
    await removeExpiredRegistrations(db).catch((err: unknown) => {
      log.warn({ err }, 'expired registrations could not be removed; retrying')
    })
    try {
      const { dead, nextMs } = await findDeadEdges(db.sql)
      if (!isSteady()) return EDGE_HEARTBEAT.everyMs
      for (const edgeId of dead) await reapIfDead(edgeId)
      return nextMs
    } catch (err) {
      log.debug({ err }, 'the query for dead edges failed')
    }
  }

  /** An edge that cannot be reaped must not block the others. */
  async function reapIfDead(edgeId: string): Promise<void> {
    try {
      if (await reap(db, edgeId, claimDeadEdge))
        log.warn({ edge: edgeId }, 'an edge died: its calls were ended and its devices deregistered')
    } catch (err) {
      log.warn({ err, edge: edgeId }, 'a dead edge could not be reaped; retrying')
    }
  }

  return repeat({ clock, log }, TELEPHONY_LIMITS.reapEveryMs, check)
}
