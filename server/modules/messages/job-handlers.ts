import { handleJob, type JobHandler } from '../../platform/jobs/job.ts'
import { autoReply, settleAttempt } from './jobs.ts'
import { markAttemptUnknown, type TextingParts } from './sending/attempts.ts'
import { sendAutoReply } from './sending/auto-reply.ts'

/** Somebody is watching the status of a text, or waits for a reply. */
const URGENT = { urgent: true }

export const messageJobs = (parts: TextingParts): JobHandler[] => [
  handleJob(
    settleAttempt,
    ({ companyId, attemptId }) => markAttemptUnknown(parts, companyId, attemptId),
    URGENT,
  ),
  handleJob(autoReply, ({ companyId, messageId }) => sendAutoReply(parts, companyId, messageId), URGENT),
]
