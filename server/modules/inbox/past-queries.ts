import type { Tx } from '../../platform/db/database.ts'

/**
 * What this transaction stores from now on arrives at that time instead of now: for history that is stored later. Items
 * of one phone number must be stored in the order of their times.
 */
export async function setArrival(tx: Tx, at: Date | undefined) {
  await tx`select set_config('bellhop.happened_at', ${at?.toISOString() ?? ''}, true)`
}
