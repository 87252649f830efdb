import { randomUUID } from 'node:crypto'

import type { Dependencies } from '../../../platform/dependencies.ts'
import type { Storage } from '../../../providers/storage/port.ts'
import { SpeechFailed, type Synthesiser } from '../../../speech/port.ts'
import { lockNumber } from '../queries.ts'
import { selectUnspokenPrompt, updatePromptAudio } from './prompt-queries.ts'
import { settlePrompts } from './prompts.ts'

export interface SpeakingParts extends Dependencies<'db' | 'log'> {
  speaker: Pick<Synthesiser, 'speak'>
  storage: Storage
}

export async function speakStoredPrompt(
  { db, speaker, storage, log }: SpeakingParts,
  companyId: string,
  numberId: string,
  digest: string,
): Promise<void> {
  const prompt = await selectUnspokenPrompt(db.sql, companyId, numberId, digest)
  // Already synthesised, or no longer needed.
  if (!prompt) return
  const wav = await speaker.speak(prompt).catch(unspeakable)
  if (!wav) {
    log.warn(
      { numberId, language: prompt.language },
      'a prompt cannot be synthesised; callers hear its last audio, or the default',
    )
    return
  }
  // A new key each time, so that deleting an older file can never hit a newer one.
  const key = `prompts/${numberId}/${randomUUID()}.wav`
  await storage.put(key, wav)
  const wanted = await db.tx(async (tx) => {
    const number = await lockNumber(tx, companyId, numberId)
    if (!number || !(await updatePromptAudio(tx, companyId, numberId, digest, key))) return false
    await settlePrompts(tx, companyId, number)
    return true
  })
  if (!wanted) await storage.remove(key)
}

/** A retry would fail in the same way: the prompt has no audio until its text or language changes. */
function unspeakable(error: unknown): undefined {
  if (!(error instanceof SpeechFailed && error.why === 'text')) throw error
}
