import { buffer } from 'node:stream/consumers'

import { inBackground } from '../../../platform/background.ts'
import type { Log } from '../../../platform/log.ts'
import type { Storage } from '../../../providers/storage/port.ts'
import type { Synthesiser } from '../../../speech/port.ts'
import { defaultGreeting, defaultOpening } from '../flow/default-greeting.ts'
import { digestOf } from './prompts.ts'

type Speaker = Pick<Synthesiser, 'speak'>

/** Shared by all numbers of a language, so that even a new number has it. */
const keyOf = (language: string, text: string) => `greetings/${digestOf(language, text)}.wav`

const defaultTexts = (language: string) => [defaultOpening(language), defaultGreeting(language)]

/** What callers hear instead of a prompt without audio: a voicemail asks for a message, everything else only thanks. */
const textOf = (language: string, isVoicemail: boolean): string =>
  isVoicemail ? defaultGreeting(language) : defaultOpening(language)

export const defaultAudioKey = (language: string, isVoicemail: boolean): string =>
  keyOf(language, textOf(language, isVoicemail))

/** Synthesises it, and stores it for the next caller: if that fails, this one hears it all the same. */
export async function speakDefaultAudio(
  { speaker, storage, log }: { speaker: Speaker; storage: Storage; log: Log },
  language: string,
  isVoicemail: boolean,
): Promise<Buffer> {
  const wav = await speaker.speak({ text: textOf(language, isVoicemail), language })
  inBackground(log, 'store a default greeting', storage.put(defaultAudioKey(language, isVoicemail), wav))
  return wav
}

/**
 * Synthesises the default texts of a language once and stores them, however many numbers are added. Other texts are
 * synthesised each time: timing must not reveal that another company has the same text.
 */
export function storeDefaults({ speaker, storage }: { speaker: Speaker; storage: Storage }): Speaker {
  const underWay = new Map<string, Promise<Buffer>>()

  async function find(key: string, request: Parameters<Speaker['speak']>[0]): Promise<Buffer> {
    if ((await storage.size(key)) !== undefined) return buffer(await storage.read(key))
    const wav = await speaker.speak(request)
    await storage.put(key, wav)
    return wav
  }

  return {
    speak(request) {
      const { text, language } = request
      if (!defaultTexts(language).includes(text)) return speaker.speak(request)
      const key = keyOf(language, text)
      const audio = underWay.get(key) ?? find(key, request).finally(() => underWay.delete(key))
      underWay.set(key, audio)
      return audio
    },
  }
}

export async function speakDefaultTexts(speaker: Speaker, language: string): Promise<void> {
  for (const text of defaultTexts(language)) await speaker.speak({ text, language })
}
