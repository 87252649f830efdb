import { readFile, rm } from 'node:fs/promises'

import { recordingStored } from '../modules/calls/index.ts'
import { voicemailRecorded } from '../modules/voicemails/index.ts'
import type { Log } from '../platform/log.ts'
import type { Storage } from '../providers/storage/port.ts'
import type { Spooled } from './spool.ts'
import type { Store } from './store.ts'

interface Keepers {
  storage: Storage
  store: Store
  log: Log
}

const FOLDERS = { recording: 'recordings', voicemail: 'voicemails' }

/**
 * Puts sound where it is kept, writes down that it is there, and only then lets go of the file. Doing it again, because
 * the process died on the way, changes nothing.
 */
export async function keepSound(
  { storage, store, log }: Keepers,
  { kind, companyId, callId, file }: Spooled,
  startedAt?: Date,
): Promise<void> {
  const key = `${FOLDERS[kind]}/${companyId}/${callId}.wav`
  try {
    await storage.put(key, await readFile(file))
    await store(async (tx) => {
      if (kind === 'voicemail') await voicemailRecorded(tx, companyId, callId, key)
      else await recordingStored(tx, companyId, callId, { key, ...(startedAt && { startedAt }) })
    })
    await rm(file, { force: true })
  } catch (err) {
    log.error({ err, file }, 'a recording could not be kept; its file stays where it is')
  }
}
