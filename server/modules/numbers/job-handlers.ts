import { handleJob, type JobHandler } from '../../platform/jobs/job.ts'
import { expireVoicePreview, speakPrompt } from './jobs.ts'
import { type SpeakingParts, speakStoredPrompt } from './speak-prompt.ts'
import { removeVoicePreview } from './voice-previews.ts'

export const numberJobs = (parts: SpeakingParts): JobHandler[] => [
  handleJob(speakPrompt, ({ companyId, numberId, digest }) =>
    speakStoredPrompt(parts, companyId, numberId, digest),
  ),
  handleJob(expireVoicePreview, ({ companyId, previewId }) =>
    removeVoicePreview(parts, companyId, previewId),
  ),
]
