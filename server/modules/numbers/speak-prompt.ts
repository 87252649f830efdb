import { randomUUID } from 'node:crypto'

import type { Database } from '../../platform/db/database.ts'
import type { Storage } from '../../providers/storage/port.ts'
import type { Speaker } from '../../speech/port.ts'
import { selectUnspokenPrompt, updatePromptAudio } from './prompt-queries.ts'

export interface SpeakingParts {
  db: Database
  speaker: Speaker
  storage: Storage
}

export async function speakStoredPrompt(
  { db, speaker, storage }: SpeakingParts,
  companyId: string,
  numberId: string,
  digest: string,
): Promise<void> {
  const prompt = await selectUnspokenPrompt(db.sql, companyId, numberId, digest)
  // Spoken already, or no longer wanted.
  if (!prompt) return
  // A key of its own each time: the removal of an older file can then never hit a newer one.
  const key = `prompts/${numberId}/${randomUUID()}.wav`
  await storage.put(key, await speaker.speak(prompt))
  const wanted = await db.tx((tx) => updatePromptAudio(tx, companyId, numberId, digest, key))
  if (!wanted) await storage.remove(key)
}
