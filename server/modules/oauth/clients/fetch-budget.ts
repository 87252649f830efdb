import type { Clock } from '../../../platform/clock.ts'
import { OAUTH_LIMITS } from '../limits.ts'
import type { ClientRow } from './client-queries.ts'

/** A request for a document, and its source. */
export interface FetchRequest {
  clientId: string
  /** The known application, if any. */
  known: ClientRow | undefined
  /** The network of the request. */
  network: string
}

/** Whether the document may be fetched. */
export type FetchBudget = (wish: FetchRequest) => boolean

/**
 * Anybody can make us fetch a document, by opening our authorization endpoint. So fetches are limited for each host,
 * and for each requesting network, because hosts can be chosen freely. An application that employees have consented
 * to must not depend on other requests, so it has its own limit.
 */
export function createFetchBudget(clock: Clock): FetchBudget {
  const ofClient = createTally(clock, OAUTH_LIMITS.documentsOfClient)
  const ofHost = createTally(clock, OAUTH_LIMITS.documents)
  const ofNetwork = createTally(clock, OAUTH_LIMITS.documentsOfNetwork)
  return ({ clientId, known, network }) =>
    known?.used_at ? ofClient(clientId) : ofNetwork(network) && ofHost(new URL(clientId).host)
}

/** Counts by key, in time windows. The oldest of too many keys are dropped, to limit memory. */
function createTally(clock: Clock, most: number): (key: string) => boolean {
  const counts = new Map<string, number>()
  let from = clock.now().getTime()
  return (key) => {
    const now = clock.now().getTime()
    if (now - from >= OAUTH_LIMITS.documentsMs) {
      from = now
      counts.clear()
    }
    const count = (counts.get(key) ?? 0) + 1
    if (count > most) return false
    counts.set(key, count)
    if (counts.size > OAUTH_LIMITS.countedKeys) counts.delete(counts.keys().next().value!)
    return true
  }
}
