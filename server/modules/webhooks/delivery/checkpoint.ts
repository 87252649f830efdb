import type { Database } from '../../../platform/db/database.ts'
import {
  type LeaseRow,
  type LeaseTerms,
  releaseLeases,
  renewLeases,
  type SubscriptionRef,
  takeLeases,
} from './lease-queries.ts'
import {
  type AttemptResult,
  commitWithoutDisk,
  deactivateSubscriptions,
  saveAttemptResults,
} from './queries.ts'

interface Checkpoint {
  saving: AttemptResult[]
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
export function writeCheckpoint(
  db: Database,
  terms: LeaseTerms,
  { saving, releasing, renewing, kept, limit }: Checkpoint,
): Promise<{ renewed: LeaseRow[]; taken: LeaseRow[] }> {
  const gone = saving.filter((one) => one.gone)
  const open = kept.map((lane) => lane.subscriptionId)
  // Most often there is nothing to do: one statement finds out.
  if (saving.length + releasing.length + renewing.length === 0) return takeOnly(db, terms, limit, open)
  return db.tx(async (tx) => {
    // Sent together: the answers come in order.
    const writing = [commitWithoutDisk(tx)]
    if (saving.length > 0) writing.push(saveAttemptResults(tx, saving))
    if (gone.length > 0) writing.push(deactivateSubscriptions(tx, gone))
    if (releasing.length > 0) writing.push(releaseLeases(tx, terms.holder, releasing))
    const renewed = renewing.length > 0 ? renewLeases(tx, terms, renewing) : []
    const taken = limit > 0 ? takeLeases(tx, terms, limit, open) : []
    await Promise.all(writing)
    return { renewed: await renewed, taken: await taken }
  })
}

const takeOnly = async ({ sql }: Database, terms: LeaseTerms, limit: number, open: string[]) => ({
  renewed: [],
  taken: limit > 0 ? await takeLeases(sql, terms, limit, open) : [],
})
