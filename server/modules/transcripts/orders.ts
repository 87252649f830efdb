import type { Tx } from '../../platform/db/database.ts'
import { publish } from '../../platform/db/pubsub.ts'
import { deleteOrder, insertOrder } from './queries.ts'
import type { Subject } from './subject.ts'

/** The channel that notifies workers of a waiting recording; without content, because they query what is next. */
export const TRANSCRIPTS_WAITING = 'transcripts_waiting'

/** Part of the transaction that stores the recording. `recordedFrom`: its start, if known better than the call's. */
export async function orderTranscript(
  tx: Tx,
  companyId: string,
  subject: Subject,
  recordedFrom: Date | null = null,
): Promise<void> {
  await insertOrder(tx, companyId, subject, recordedFrom)
  await publish(tx, TRANSCRIPTS_WAITING, '')
}

/** The recording was deleted. */
export const withdrawTranscript = deleteOrder
