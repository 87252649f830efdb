import { randomUUID } from 'node:crypto'

import type { Database } from '../../../platform/db/database.ts'
import type { Log } from '../../../platform/log.ts'
import type { Storage } from '../../../providers/storage/port.ts'
import { type Speaker, SpeechFailed } from '../../../speech/port.ts'
import { selectUnspokenPrompt, updatePromptAudio } from './prompt-queries.ts'

export interface SpeakingParts {
  db: Database
  speaker: Pick<Speaker, 'speak'>
  storage: Storage
  log: Log
}

export async function speakStoredPrompt(
  { db, speaker, storage, log }: SpeakingParts,
  companyId: string,
  numberId: string,
  digest: string,
): Promise<void> {
  const prompt = await selectUnspokenPrompt(db.sql, companyId, numberId, digest)
  // Spoken already, or no longer wanted.
  if (!prompt) return
  const wav = await speaker.speak(prompt).catch(unspeakable)
  if (!wav) {
    log.warn({ numberId, language: prompt.language }, 'a prompt cannot be spoken; callers will not hear it')
    return
  }
  // A key of its own each time: the removal of an older file can then never hit a newer one.
  const key = `prompts/${numberId}/${randomUUID()}.wav`
  await storage.put(key, wav)
  const wanted = await db.tx((tx) => updatePromptAudio(tx, companyId, numberId, digest, key))
  if (!wanted) await storage.remove(key)
}

/** Another try would fail the same way: the prompt stays without audio until its text or language changes. */
function unspeakable(error: unknown): undefined {
  if (!(error instanceof SpeechFailed && error.why === 'text')) throw error
}
