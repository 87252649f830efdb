import type { Tx } from '../../platform/db/database.ts'
import { type LockedQueue, lockQueue, lockQueues } from './lock-queries.ts'

declare const holdsQueue: unique symbol

/**
 * A transaction that has locked the queue of its company. Every write to queue entries, offers or availability requires
 * one, and only `withQueue` and `withQueues` provide it.
 */
export type QueueTx = Tx & { readonly [holdsQueue]: true }

/**
 * Locks the company's queue entries, offers and availability until the transaction ends. To avoid deadlocks, it must be
 * the first lock of the transaction: one that waits here then has nothing that another could wait for.
 */
export function withQueue<T>(tx: Tx, companyId: string, run: (tx: QueueTx) => Promise<T>): Promise<T> {
  return hold(tx, lockQueue(tx, companyId), run)
}

/** The same for several companies, always locked in the same order. */
export function withQueues<T>(
  tx: Tx,
  companyIds: readonly string[],
  run: (tx: QueueTx) => Promise<T>,
): Promise<T> {
  return hold(tx, lockQueues(tx, [...companyIds].toSorted()), run)
}

async function hold<T>(tx: Tx, locking: Promise<LockedQueue>, run: (tx: QueueTx) => Promise<T>): Promise<T> {
  // The lock is pipelined with the first statement of `run`; the database runs them in that order.
  const [, result] = await Promise.all([locking.then(requireFirst), run(tx as QueueTx)])
  return result
}

function requireFirst({ has_written }: LockedQueue): void {
  if (has_written) throw new Error('a transaction must lock the queue before it writes')
}
