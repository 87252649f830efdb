/** What one channel says without a pause. */
export interface Phrase {
  startMs: number
  endMs: number
  text: string
}

/** Phrases in order of time, for each channel. Silence has none. */
export interface Transcript {
  channels: Phrase[][]
}

export interface RecognitionInput {
  /** A 16-bit WAV file at 8 kHz, with one or two channels. */
  file: string
  /** The probable language, as the code of a business number. */
  language: string
}

export interface Recogniser {
  /** Whether it supports the language. */
  knows(language: string): boolean
  /** Transcribes speech; silence gives no phrases. Rejects with SpeechFailed only. */
  transcribe(recording: RecognitionInput): Promise<Transcript>
  close(): Promise<void>
}
