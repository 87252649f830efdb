import { z } from 'zod'

import { handleJob, type JobHandler, jobKind } from '../../platform/jobs/job.ts'
import { type AlertParts, announceWaitingCall, withdrawOutdatedAlerts } from './call-alerts.ts'

const ids = { companyId: z.uuid(), callId: z.uuid() }

// Both are ordered by triggers of the queue's table.
const callWaits = jobKind('push.call_waits', z.object({ ...ids, since: z.string() }))
const callLeft = jobKind('push.call_left', z.object(ids))

export const pushJobs = (parts: AlertParts): JobHandler[] => [
  handleJob(callWaits, (waiting) => announceWaitingCall(parts, waiting), { urgent: true }),
  handleJob(callLeft, ({ companyId, callId }) => withdrawOutdatedAlerts(parts, companyId, callId), {
    urgent: true,
  }),
]
