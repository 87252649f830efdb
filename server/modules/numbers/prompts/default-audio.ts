import type { Storage } from '../../../providers/storage/port.ts'
import type { Synthesiser } from '../../../speech/port.ts'
import { defaultGreeting, defaultOpening } from '../flow/default-greeting.ts'
import { digestOf } from './prompts.ts'

/** Shared by all numbers of a language, so that even a new number has it. */
const keyOf = (language: string, text: string) => `greetings/${digestOf(language, text)}.wav`

/** What callers hear instead of a prompt without audio: a voicemail asks for a message, everything else only thanks. */
export const defaultAudioKey = (language: string, isVoicemail: boolean): string =>
  keyOf(language, isVoicemail ? defaultGreeting(language) : defaultOpening(language))

/** Synthesises what is not stored yet. */
export async function storeDefaultAudio(
  { speaker, storage }: { speaker: Pick<Synthesiser, 'speak'>; storage: Storage },
  language: string,
): Promise<void> {
  for (const text of [defaultOpening(language), defaultGreeting(language)]) {
    const key = keyOf(language, text)
    if ((await storage.size(key)) === undefined)
      await storage.put(key, await speaker.speak({ text, language }))
  }
}
