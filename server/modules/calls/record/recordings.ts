import type { Tx } from '../../../platform/db/database.ts'
import { enqueueTranscription } from '../../transcripts/index.ts'
import { updateRecording } from './queries.ts'

export interface CallRecording {
  /** Storage key of an 8 kHz WAV file. With two channels, the customer is left and employees are right. */
  key: string
  /** Defaults to when the call was answered. */
  startedAt?: Date
}

/** The recording is in storage: attaches it to the call and enqueues its transcription. */
export async function recordingStored(
  tx: Tx,
  companyId: string,
  callId: string,
  { key, startedAt }: CallRecording,
): Promise<void> {
  if (await updateRecording(tx, companyId, callId, key))
    await enqueueTranscription(tx, companyId, { kind: 'call', id: callId }, startedAt)
}
