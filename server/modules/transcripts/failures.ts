import { SpeechFailed } from '../../speech/port.ts'
import type { TranscriptionFailure } from './queries.ts'

const MINUTE = 60_000
/** After the first attempt, after the second, and so on; then it has failed. */
const DELAYS_MS = [1, 5, 30, 120, 720].map((minutes) => minutes * MINUTE)
export const TRIES_MAX = DELAYS_MS.length + 1
const REASON_CHARACTERS_MAX = 500

/** A recording that is missing or cannot be transcribed. */
export class UnusableRecording extends Error {}

export function failureOf(error: unknown): { failure: TranscriptionFailure; reason: string } {
  const reason = (error instanceof Error ? error.message : String(error)).slice(0, REASON_CHARACTERS_MAX)
  if (error instanceof UnusableRecording) return { failure: 'recording', reason }
  if (!(error instanceof SpeechFailed)) return { failure: 'unavailable', reason }
  switch (error.why) {
    case 'language':
    case 'not_understood':
    case 'recording':
    case 'refused':
      return { failure: error.why, reason }
    default:
      return { failure: 'unavailable', reason }
  }
}

/** Undefined after the last attempt. */
export const retryAfter = (tries: number): number | undefined => DELAYS_MS[tries - 1]
