import type { Database, Tx } from '../db/database.ts'
import type { KeyRing } from './key-ring.ts'

export interface SealedRow {
  id: string
  sealed: Buffer
}

/** Rows with values that a key ring sealed. */
export interface SealedRows {
  /**
   * Locks and returns the next rows after `after`, by id, that an older key has sealed. Skips rows that are locked,
   * so that there are no deadlocks.
   */
  lockOlder(tx: Tx, after: string | undefined, limit: number): Promise<SealedRow[]>
  update(tx: Tx, rows: SealedRow[]): Promise<void>
  contextOf(id: string): string
}

/** In small transactions: whenever this ends, what is done stays done. */
const BATCH_ROWS = 500

/** Seals values of older keys with the newest key. Values that cannot be opened stay as they are. */
export async function reseal(
  db: Database,
  ring: KeyRing,
  rows: SealedRows,
  { batchRows = BATCH_ROWS, onBatch }: { batchRows?: number; onBatch(resealed: number): void },
): Promise<void> {
  for (let after: string | undefined; ;) {
    const { last, resealed } = await db.tx(async (tx) => {
      const older = await rows.lockOlder(tx, after, batchRows)
      const sealed = older.flatMap((row) => resealOne(ring, row, rows.contextOf(row.id)))
      if (sealed.length > 0) await rows.update(tx, sealed)
      return { last: older.at(-1)?.id, resealed: sealed.length }
    })
    if (last === undefined) return
    onBatch(resealed)
    after = last
  }
}

/** Empty if its key is missing or it was tampered with. */
function resealOne(ring: KeyRing, { id, sealed }: SealedRow, context: string): SealedRow[] {
  let text: string
  try {
    text = ring.open(sealed, context)
  } catch {
    return []
  }
  return [{ id, sealed: ring.seal(text, context) }]
}
