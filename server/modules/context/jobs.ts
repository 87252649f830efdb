import { z } from 'zod'

import { companyJobKind, jobKind } from '../../platform/jobs/job.ts'

/** Looks up the caller, and stores the result with the call. */
export const lookUpCaller = companyJobKind(
  'context.look_up_caller',
  z.object({ companyId: z.uuid(), callId: z.uuid(), phone: z.string() }),
)

/** Deletes stale results. */
export const expireLookUps = jobKind('context.forget_look_ups', z.object({}))
