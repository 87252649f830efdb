import { z } from 'zod'

import { jobKind } from '../../platform/jobs/job.ts'

/** Makes the audio of a prompt. */
export const speakPrompt = jobKind(
  'numbers.speak_prompt',
  z.object({ companyId: z.uuid(), numberId: z.uuid(), digest: z.hex() }),
)

/** Throws a voice preview away. */
export const expireVoicePreview = jobKind(
  'numbers.expire_voice_preview',
  z.object({ companyId: z.uuid(), previewId: z.uuid() }),
)
