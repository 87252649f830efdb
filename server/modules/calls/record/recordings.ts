import type { Tx } from '../../../platform/db/database.ts'
import { enqueueTranscription } from '../../transcripts/index.ts'
import { updateRecording } from './queries.ts'

export interface CallRecording {
  /** Of the file in storage: 8 kHz WAV; if it has two channels, the outside party is left and employees are right. */
  key: string
  /** When the recording began; if not given, when the call was answered. */
  startedAt?: Date
}

/** The recording of a call is in storage: the call has it, and it will be put into words. */
export async function recordingStored(
  tx: Tx,
  companyId: string,
  callId: string,
  { key, startedAt }: CallRecording,
): Promise<void> {
  if (await updateRecording(tx, companyId, callId, key))
    await enqueueTranscription(tx, companyId, { kind: 'call', id: callId }, startedAt)
}
