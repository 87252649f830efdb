import { z } from 'zod'

import { companyJobKind, jobKind } from '../../platform/jobs/job.ts'

/** Sets an attempt without a stored outcome to unknown. */
export const settleAttempt = jobKind(
  'messages.settle_attempt',
  z.object({ companyId: z.uuid(), attemptId: z.uuid() }),
)

/** Sends the automatic reply to a text outside business hours. */
export const autoReply = companyJobKind(
  'messages.auto_reply',
  z.object({ companyId: z.uuid(), messageId: z.uuid() }),
)
