import { z } from 'zod'

import { jobKind } from '../../platform/jobs/job.ts'

/** Asks who calls, and saves the answer with the call. */
export const lookUpCaller = jobKind(
  'context.look_up_caller',
  z.object({ companyId: z.uuid(), callId: z.uuid(), phone: z.string() }),
)

/** Removes answers that nobody is given any more. */
export const forgetLookUps = jobKind('context.forget_look_ups', z.object({}))
