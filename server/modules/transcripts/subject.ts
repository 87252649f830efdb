import type { Tx } from '../../platform/db/database.ts'
import type { Transcript } from '../../speech/port.ts'

/** What was recorded. */
export interface TranscriptSubject {
  kind: 'call' | 'voicemail'
  id: string
}

export interface StoredRecording {
  recordingKey: string
  /** The probable language: that of the business number. */
  language: string
  /** Whose recording it is; null for a voicemail that has lost its call. */
  callId: string | null
}

/** A kind of recording to transcribe; implemented by the module that owns it. */
export interface Transcribable {
  /** Undefined if it was deleted, or no longer has a recording. */
  find(companyId: string, id: string): Promise<StoredRecording | undefined>
  /** Prepares what is to be stored, and returns the function that stores it. */
  prepare(
    companyId: string,
    id: string,
    transcript: Transcript,
    recordedFrom: Date | null,
  ): Promise<(tx: Tx) => Promise<void>>
}
