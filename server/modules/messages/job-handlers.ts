import { handleCompanyJob, handleJob, type JobHandler } from '../../platform/jobs/job.ts'
import { autoReply, settleAttempt } from './jobs.ts'
import { markAttemptUnknown, type TextingParts } from './sending/attempts.ts'
import { sendAutoReply } from './sending/auto-reply.ts'

export const messageJobs = (parts: TextingParts): JobHandler[] => [
  handleJob(
    settleAttempt,
    ({ companyId, attemptId }) => markAttemptUnknown(parts, companyId, attemptId),
    // Somebody is watching the status of the text.
    { urgent: true },
  ),
  handleCompanyJob(autoReply, ({ companyId, messageId }) => sendAutoReply(parts, companyId, messageId)),
]
