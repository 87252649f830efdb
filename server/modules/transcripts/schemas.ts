import { z } from 'zod'

const TRANSCRIPTION_STATUSES = [
  'pending',
  'done',
  'no_speech',
  'not_understood',
  'unsupported_language',
  'failed',
] as const

/** Why there is no transcript, or that there is one. */
export const TranscriptionStatus = z.enum(TRANSCRIPTION_STATUSES).nullable().meta({
  description:
    'Of the recording: `pending`, `done`, or why there is no transcript: nobody spoke, nothing was understood, no engine supports the language, or it failed. Null without a recording.',
})
export type TranscriptionStatus = z.output<typeof TranscriptionStatus>
