import type { Fragment, Tx } from '../../platform/db/database.ts'

/** Locks until the transaction ends. `then` sends the statement at once, ahead of any that follow. */
export function lockQueue(tx: Tx, companyId: string) {
  return tx<LockedQueue[]>`
    select ${hasWritten(tx)}, ${locking(tx, tx`${companyId}::text`)}`.then(([row]) => row!)
}

/** The same for several companies, in this order. */
export function lockQueues(tx: Tx, companyIds: string[]) {
  return tx<LockedQueue[]>`
    select ${hasWritten(tx)}, count(${locking(tx, tx`company_id`)})
    from unnest(${companyIds}::text[]) as company_id`.then(([row]) => row!)
}

export interface LockedQueue {
  /** Whether the transaction has written something before. */
  has_written: boolean
}

const hasWritten = (tx: Tx) => tx`pg_current_xact_id_if_assigned() is not null as has_written`
const locking = (tx: Tx, companyId: Fragment) =>
  tx`pg_advisory_xact_lock(hashtextextended('queue ' || ${companyId}, 0))`
