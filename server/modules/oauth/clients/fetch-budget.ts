import type { Clock } from '../../../platform/clock.ts'
import { LIMITS } from '../limits.ts'
import type { ClientRow } from './client-queries.ts'

/** Who has us fetch which document. */
export interface Wish {
  clientId: string
  /** What we know of the application, if anything. */
  known: ClientRow | undefined
  /** Where whoever asks comes from. */
  network: string
}

/** Whether a document may be fetched. */
export type FetchBudget = (wish: Wish) => boolean

/**
 * Anybody can make us fetch, by opening an address of ours. Each host is spared, and each network that asks has a
 * share of its own: hosts are free to choose. An application that people have agreed to depends on none of these
 * strangers, so it is counted by itself.
 */
export function createFetchBudget(clock: Clock): FetchBudget {
  const ofClient = createTally(clock, LIMITS.documentsOfClient)
  const ofHost = createTally(clock, LIMITS.documents)
  const ofNetwork = createTally(clock, LIMITS.documentsOfNetwork)
  return ({ clientId, known, network }) =>
    known?.used_at ? ofClient(clientId) : ofNetwork(network) && ofHost(new URL(clientId).host)
}

/** Counts by key, in windows of time. Of too many keys the oldest are forgotten, so that memory has a bound. */
function createTally(clock: Clock, most: number): (key: string) => boolean {
  const counts = new Map<string, number>()
  let from = clock.now().getTime()
  return (key) => {
    const now = clock.now().getTime()
    if (now - from >= LIMITS.documentsMs) {
      from = now
      counts.clear()
    }
    const count = (counts.get(key) ?? 0) + 1
    if (count > most) return false
    counts.set(key, count)
    if (counts.size > LIMITS.countedKeys) counts.delete(counts.keys().next().value!)
    return true
  }
}
