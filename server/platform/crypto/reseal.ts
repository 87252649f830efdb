import type { Database, Tx } from '../db/database.ts'
import type { KeyRing } from './key-ring.ts'

export interface SealedRow {
  id: string
  sealed: Buffer
}

/** Where something is kept that a key ring sealed. */
export interface SealedRows {
  /**
   * The next ones after `after`, by id, that an older key has sealed. They are locked; those that somebody else has
   * locked are left out, so that nobody ever waits for us and us for them.
   */
  lockOlder(tx: Tx, after: string | undefined, limit: number): Promise<SealedRow[]>
  update(tx: Tx, rows: SealedRow[]): Promise<void>
  contextOf(id: string): string
}

/** A few at a time: what is done stays done, whenever this ends. */
const BATCH_ROWS = 500

/** Seals with the newest key what an older one has sealed; what cannot be opened stays as it is. */
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

/** None if its key is gone or it was tampered with. */
function resealOne(ring: KeyRing, { id, sealed }: SealedRow, context: string): SealedRow[] {
  let text: string
  try {
    text = ring.open(sealed, context)
  } catch {
    return []
  }
  return [{ id, sealed: ring.seal(text, context) }]
}
