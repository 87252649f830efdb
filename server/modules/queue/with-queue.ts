import type { Tx } from '../../platform/db/database.ts'
import { lockQueues } from './lock-queries.ts'

declare const holdsQueue: unique symbol

/**
 * A transaction that holds the queue of its company. Whatever writes who waits, who rings or who is free takes this
 * and no other, and only `withQueue` gives it.
 */
export type QueueTx = Tx & { readonly [holdsQueue]: true }

/**
 * Until the transaction ends, nobody else changes who waits, rings or is free in this company. It comes first in its
 * transaction: who waits here has locked nothing that another could want, so nobody waits in a circle.
 */
export function withQueue<T>(tx: Tx, companyId: string, run: (tx: QueueTx) => Promise<T>): Promise<T> {
  return withQueues(tx, [companyId], run)
}

/** The same for several companies, taken in the same order by everybody. */
export async function withQueues<T>(
  tx: Tx,
  companyIds: readonly string[],
  run: (tx: QueueTx) => Promise<T>,
): Promise<T> {
  // What `run` sends first is sent with it, and done by the database in that order.
  const [, result] = await Promise.all([lock(tx, companyIds), run(tx as QueueTx)])
  return result
}

async function lock(tx: Tx, companyIds: readonly string[]): Promise<void> {
  const { has_written } = await lockQueues(tx, [...companyIds].toSorted())
  if (has_written) throw new Error('a transaction takes the queue of a company before it writes')
}
