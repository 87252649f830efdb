import type { Tx } from '../../platform/db/database.ts'
import { publish } from '../../platform/db/pubsub.ts'
import { deleteTask, insertTask } from './queries.ts'
import type { TranscriptSubject } from './subject.ts'

/** The channel that notifies workers of a waiting recording; without content, because they query what is next. */
export const TRANSCRIPTIONS_WAITING_CHANNEL = 'transcripts_waiting'

/** Part of the transaction that stores the recording. `recordedFrom`: its start, if known better than the call's. */
export async function enqueueTranscription(
  tx: Tx,
  companyId: string,
  subject: TranscriptSubject,
  recordedFrom: Date | null = null,
): Promise<void> {
  await insertTask(tx, companyId, subject, recordedFrom)
  await publish(tx, TRANSCRIPTIONS_WAITING_CHANNEL, '')
}

/** The recording was deleted. */
export const cancelTranscription = deleteTask
