import type { Tx } from '../../platform/db/database.ts'
import type { Transcript } from '../../speech/port.ts'

/** What was recorded. */
export interface Subject {
  kind: 'call' | 'voicemail'
  id: string
}

export interface Recorded {
  recordingKey: string
  /** What is probably spoken: the language of the business number. */
  language: string
}

/** One kind of what is put into words; the module that owns it knows how. */
export interface Transcribable {
  /** Undefined when it is gone, or has no recording any more. */
  find(companyId: string, id: string): Promise<Recorded | undefined>
  /** Makes of the words what is to be stored, and gives what stores it. */
  prepare(
    companyId: string,
    id: string,
    transcript: Transcript,
    recordedFrom: Date | null,
  ): Promise<(tx: Tx) => Promise<void>>
}
