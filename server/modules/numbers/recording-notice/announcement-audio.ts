import { buffer } from 'node:stream/consumers'

import { inBackground } from '../../../platform/background.ts'
import type { Log } from '../../../platform/log.ts'
import type { Storage } from '../../../providers/storage/port.ts'
import type { Synthesiser } from '../../../speech/port.ts'
import { digestOf } from '../prompts/prompts.ts'
import { recordingAnnouncement } from './announcement-texts.ts'

type Speaker = Pick<Synthesiser, 'speak'>

/** Beside the default greetings: shared by all numbers of a language too. */
const keyOf = (language: string) => `greetings/${digestOf(language, recordingAnnouncement(language))}.wav`

/** Undefined if it is not stored yet. */
export async function recordingAnnouncementKey(
  storage: Storage,
  language: string,
): Promise<string | undefined> {
  const key = keyOf(language)
  return (await storage.size(key)) === undefined ? undefined : key
}

/** Undefined if it is not stored yet. */
export async function findRecordingAnnouncement(
  storage: Storage,
  language: string,
): Promise<Buffer | undefined> {
  const key = await recordingAnnouncementKey(storage, language)
  return key === undefined ? undefined : buffer(await storage.read(key))
}

/** Synthesises it for a call, and stores it for the next one: if that fails, this one has it all the same. */
export async function speakRecordingAnnouncement(
  { speaker, storage, log }: { speaker: Speaker; storage: Storage; log: Log },
  language: string,
): Promise<Buffer> {
  const wav = await speaker.speak({ text: recordingAnnouncement(language), language })
  inBackground(log, 'store the announcement of recordings', storage.put(keyOf(language), wav))
  return wav
}

/** Synthesises it before a call needs it. */
export async function prepareRecordingAnnouncement(
  { speaker, storage }: { speaker: Speaker; storage: Storage },
  language: string,
): Promise<void> {
  const key = keyOf(language)
  if ((await storage.size(key)) !== undefined) return
  await storage.put(key, await speaker.speak({ text: recordingAnnouncement(language), language }))
}
