import type { Tx } from '../../platform/db/database.ts'
import type { CallRef } from './live-calls.ts'
import { updateRecordingKey } from './queries.ts'

/** The recording of a call is where recordings are kept. */
export function keepCallRecording(tx: Tx, { companyId, callId }: CallRef, key: string): Promise<void> {
  return updateRecordingKey(tx, companyId, callId, key)
}
