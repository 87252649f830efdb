import { rm } from 'node:fs/promises'

import type { ControlParts, CustomerCall } from '../call/customer-call.ts'
import { TELEPHONY_LIMITS } from '../limits.ts'
import { spooledRecording } from '../sound/spool.ts'
import { storeRecording } from '../sound/store-recordings.ts'

/**
 * Records the customer on the left channel and what they hear on the right, across transfers. Returns a function that
 * stops the recording and stores it.
 */
export async function recordConversation(
  parts: ControlParts,
  { ref, customer }: CustomerCall,
  startedAt: Date,
): Promise<() => Promise<void>> {
  const spool = spooledRecording(parts.edge.spoolDir, 'recording', ref)
  const recording = await parts.sounds.record(customer.sound, {
    file: spool.file,
    channels: 2,
    maxMs: TELEPHONY_LIMITS.recordingMaxMs,
  })
  return async () => {
    recording.stop()
    const { file, durationMs } = await recording.ended
    if (durationMs === 0) return rm(file, { force: true })
    await storeRecording(parts, spool, startedAt)
  }
}
