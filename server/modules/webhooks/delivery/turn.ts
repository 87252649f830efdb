import type { Database } from '../../../platform/db/database.ts'
import {
  type LeaseRow,
  releaseLeases,
  renewLeases,
  type SubscriptionRef,
  takeLeases,
  type Terms,
} from './lease-queries.ts'
import { commitWithoutDisk, deactivateSubscriptions, type Finished, saveFinished } from './queries.ts'

interface Turn {
  saving: Finished[]
  releasing: SubscriptionRef[]
  renewing: SubscriptionRef[]
  /** Leases that this worker keeps. */
  kept: SubscriptionRef[]
  /** How many more it may take. */
  limit: number
}

/**
 * Writes outcomes and leases. If the machine dies before this reaches the disk, deliveries are repeated, which
 * at-least-once allows; so nobody waits for the disk.
 */
export function writeTurn(
  db: Database,
  terms: Terms,
  { saving, releasing, renewing, kept, limit }: Turn,
): Promise<{ renewed: LeaseRow[]; taken: LeaseRow[] }> {
  const gone = saving.filter((one) => one.gone)
  return db.tx(async (tx) => {
    // Sent together: the answers come in order.
    const writing = [commitWithoutDisk(tx)]
    if (saving.length > 0) writing.push(saveFinished(tx, saving))
    if (gone.length > 0) writing.push(deactivateSubscriptions(tx, gone))
    if (releasing.length > 0) writing.push(releaseLeases(tx, terms.holder, releasing))
    const renewed = renewing.length > 0 ? renewLeases(tx, terms, renewing) : []
    const open = kept.map((lane) => lane.subscriptionId)
    const taken = limit > 0 ? takeLeases(tx, terms, limit, open) : []
    await Promise.all(writing)
    return { renewed: await renewed, taken: await taken }
  })
}
