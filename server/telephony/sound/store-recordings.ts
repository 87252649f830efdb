import { rm, stat } from 'node:fs/promises'

import { recordingStored } from '../../modules/calls/index.ts'
import { storeVoicemail } from '../../modules/voicemails/index.ts'
import type { Storage } from '../../providers/storage/port.ts'
import type { CallWriter } from '../call/call-writer.ts'
import type { ControlParts } from '../call/customer-call.ts'
import { audioDurationMs } from './audio-duration.ts'
import type { SpooledRecording } from './spool.ts'

const FOLDERS = { recording: 'recordings', voicemail: 'voicemails' }

/** Stores a recording. If that fails, this edge retries, or the next one on its spool directory. */
export async function storeRecording(
  { edge, store }: ControlParts,
  sound: SpooledRecording,
  startedAt?: Date,
): Promise<void> {
  const { storage, log } = edge
  try {
    await storeSpooledFile({ storage, store }, sound, startedAt)
  } catch (err) {
    log.error(
      { err, file: sound.file },
      'a recording could not be stored; it stays in the spool and will be retried',
    )
    edge.storeLater(sound, startedAt)
  }
}

/**
 * Copies the recording to storage, records that it is there, and only then deletes the file. Repeating this after a
 * crash changes nothing.
 */
export async function storeSpooledFile(
  { storage, store }: { storage: Storage; store: CallWriter },
  { kind, companyId, callId, file }: SpooledRecording,
  startedAt?: Date,
): Promise<void> {
  const key = `${FOLDERS[kind]}/${companyId}/${callId}.wav`
  const { size } = await stat(file)
  const seconds = Math.round(audioDurationMs(kind, size) / 1000)
  await storage.putFile(key, file)
  await store(async (tx) => {
    if (kind === 'voicemail') await storeVoicemail(tx, companyId, callId, { key, seconds })
    else await recordingStored(tx, companyId, callId, { key, ...(startedAt && { startedAt }) })
  })
  await rm(file, { force: true })
}
