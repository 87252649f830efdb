import { z } from 'zod'

import { jobKind } from '../../platform/jobs/job.ts'

/** Synthesises a prompt. */
export const speakPrompt = jobKind(
  'numbers.speak_prompt',
  z.object({ companyId: z.uuid(), numberId: z.uuid(), digest: z.hex() }),
)

/** Synthesises what callers hear in a language while a prompt has no audio yet. */
export const speakDefaults = jobKind('numbers.speak_defaults', z.object({ language: z.string() }))

/** Synthesises the announcement in a language that calls are recorded. */
export const speakAnnouncement = jobKind(
  'numbers.speak_recording_announcement',
  z.object({ language: z.string() }),
)

/** Deletes a voice preview. */
export const expireVoicePreview = jobKind(
  'numbers.expire_voice_preview',
  z.object({ companyId: z.uuid(), previewId: z.uuid() }),
)
