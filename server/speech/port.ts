import { voiceOf } from './languages.ts'

export interface Speaker {
  /** Speaks the text as it stands, never as markup. Gives a WAV file; fails with SpeechFailed alone. */
  speak(request: { text: string; language: string }): Promise<Buffer>
  close(): Promise<void>
}

/**
 * 'busy', 'timeout' and 'engine' are worth another try later. The others never are: the text cannot be spoken, the
 * recording cannot be read, it is in a language that the engine does not know, or the engine will not have it.
 */
export type SpeechFailure = 'busy' | 'timeout' | 'engine' | 'text' | 'recording' | 'language' | 'refused'

export class SpeechFailed extends Error {
  readonly why: SpeechFailure

  constructor(why: SpeechFailure, message: string) {
    super(message)
    this.name = 'SpeechFailed'
    this.why = why
  }
}

export { voiceOf }
export { type Phrase, type Recogniser, type Recording, type Transcript } from './recognition.ts'
export { RECOGNITION_LIMITS, SPEECH_LIMITS } from './limits.ts'
export type { Conversation, Summariser, Turn } from './summary.ts'

/** Dots, dashes and pictures alone make no sound. */
export const hasWords = (text: string): boolean => /[\p{L}\p{N}]/u.test(text)

export const canSpeak = (language: string): boolean => voiceOf(language) !== undefined
