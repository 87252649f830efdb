import type { Tx } from '../../platform/db/database.ts'
import { publish } from '../../platform/db/pubsub.ts'
import { deleteOrder, insertOrder } from './queries.ts'
import type { Subject } from './subject.ts'

/** Said to all workers when a recording waits; without content, as they look for themselves whose turn it is. */
export const TRANSCRIPTS_WAITING = 'transcripts_waiting'

/** Part of the transaction that stores the recording. `recordedFrom`: when it began, if known better than the call. */
export async function orderTranscript(
  tx: Tx,
  companyId: string,
  subject: Subject,
  recordedFrom: Date | null = null,
): Promise<void> {
  await insertOrder(tx, companyId, subject, recordedFrom)
  await publish(tx, TRANSCRIPTS_WAITING, '')
}

/** The recording is gone, and so is what there was to say about it. */
export const withdrawTranscript = deleteOrder
