/** What one channel says until it pauses. */
export interface Phrase {
  startMs: number
  endMs: number
  text: string
}

/** Phrases in the order of time, for each channel. Where nobody speaks there are none. */
export interface Transcript {
  channels: Phrase[][]
}

export interface Recording {
  /** A WAV file of 16 bits at 8 kHz, with one or two channels. */
  file: string
  /** What is probably spoken, as business numbers name it. */
  language: string
}

export interface Recogniser {
  /** Whether it knows the language at all. */
  knows(language: string): boolean
  /** Puts into words what is said, and nothing where nobody speaks. Fails with SpeechFailed alone. */
  transcribe(recording: Recording): Promise<Transcript>
  close(): Promise<void>
}
