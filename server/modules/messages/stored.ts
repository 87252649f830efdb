import type { Tx } from '../../platform/db/database.ts'

/** What others need to know of a text that was just stored; the rest they read by its id. */
export interface StoredMessage {
  companyId: string
  id: string
  businessNumberId: string
  direction: 'inbound' | 'outbound'
  /** The other side, E.164. */
  remoteNumber: string
}

/**
 * Called in the transaction that stores a text, after its row was written, once per text. Passed in by main.ts, as
 * the inbox reads messages: imports both ways would be a circle.
 */
export type NoteStored = (tx: Tx, message: StoredMessage) => Promise<void>
