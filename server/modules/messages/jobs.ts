import { z } from 'zod'

import { jobKind } from '../../platform/jobs/job.ts'

/** Says of an attempt whose outcome nobody wrote down that it is unknown. */
export const settleAttempt = jobKind(
  'messages.settle_attempt',
  z.object({ companyId: z.uuid(), attemptId: z.uuid() }),
)

/** Answers an incoming text outside business hours. */
export const autoReply = jobKind(
  'messages.auto_reply',
  z.object({ companyId: z.uuid(), messageId: z.uuid() }),
)
