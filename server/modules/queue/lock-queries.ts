import type { Tx } from '../../platform/db/database.ts'

/** Locks until the transaction ends. `then` sends the statement at once, ahead of any that follow. */
export function lockQueues(tx: Tx, companyIds: string[]) {
  return tx<{ has_written: boolean }[]>`
    select pg_current_xact_id_if_assigned() is not null as has_written,
      count(pg_advisory_xact_lock(hashtextextended('queue ' || company_id, 0)))
    from unnest(${companyIds}::text[]) as company_id`.then(([row]) => row!)
}
