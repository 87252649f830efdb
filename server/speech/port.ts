import { voiceOf } from './languages.ts'

export interface Synthesiser {
  /** Synthesises plain text, never markup. Resolves to a WAV file; rejects with SpeechFailed only. */
  speak(request: { text: string; language: string }): Promise<Buffer>
  /** Somebody is writing a text in this language: what takes long to start is started. */
  prepare(language: string): void
  close(): Promise<void>
}

/**
 * 'busy', 'timeout' and 'engine' are worth a retry. The others are not: the text cannot be spoken, the recording
 * cannot be read, its language is not supported, its speech is not in that language, or the engine refuses it.
 */
export type SpeechFailure =
  | 'busy'
  | 'timeout'
  | 'engine'
  | 'text'
  | 'recording'
  | 'language'
  | 'not_understood'
  | 'refused'

export class SpeechFailed extends Error {
  readonly why: SpeechFailure

  constructor(why: SpeechFailure, message: string) {
    super(message)
    this.name = 'SpeechFailed'
    this.why = why
  }
}

export { voiceOf }
export { canSay } from './scripts.ts'
export { type Phrase, type Recogniser, type RecognitionInput, type Transcript } from './recognition.ts'
export { RECOGNITION_LIMITS, SPEECH_LIMITS } from './limits.ts'
export type { Summariser, SummaryInput, Turn } from './summary.ts'

/** Punctuation and emoji alone are silent. */
export const hasWords = (text: string): boolean => /[\p{L}\p{N}]/u.test(text)

export const canSpeak = (language: string): boolean => voiceOf(language) !== undefined
