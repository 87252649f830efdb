import { handleJob, type JobHandler } from '../../platform/jobs/job.ts'
import { expireVoicePreview, speakAnnouncement, speakDefaults, speakPrompt } from './jobs.ts'
import { speakDefaultTexts, storeDefaults } from './prompts/default-audio.ts'
import { type SpeakingParts, speakStoredPrompt } from './prompts/speak-prompt.ts'
import { removeVoicePreview } from './prompts/voice-previews.ts'
import { prepareRecordingAnnouncement } from './recording-notice/announcement-audio.ts'

export function numberJobs(parts: SpeakingParts): JobHandler[] {
  const speaking = { ...parts, speaker: storeDefaults(parts) }
  return [
    handleJob(speakPrompt, ({ companyId, numberId, digest }) =>
      speakStoredPrompt(speaking, companyId, numberId, digest),
    ),
    handleJob(speakDefaults, ({ language }) => speakDefaultTexts(speaking.speaker, language)),
    handleJob(speakAnnouncement, ({ language }) => prepareRecordingAnnouncement(parts, language)),
    handleJob(expireVoicePreview, ({ companyId, previewId }) =>
      removeVoicePreview(parts, companyId, previewId),
    ),
  ]
}
