import { z } from 'zod'

import { handleJob, type JobHandler, jobKind } from '../../platform/jobs/job.ts'
import { type InvitationParts, sendInvitation } from './invitations.ts'
import { switchOffExpiredDoNotDisturb } from './presence.ts'

export const inviteEmployee = jobKind('employees.invite', z.object({ employeeId: z.uuid() }))

/** Switches do-not-disturb off when its time is over. */
export const endDoNotDisturb = jobKind('employees.end_do_not_disturb', z.object({ employeeId: z.uuid() }))

export const employeeJobs = (parts: InvitationParts): JobHandler[] => [
  handleJob(inviteEmployee, ({ employeeId }) => sendInvitation(parts, employeeId)),
  handleJob(endDoNotDisturb, ({ employeeId }) =>
    parts.db.tx((tx) => switchOffExpiredDoNotDisturb(tx, employeeId)),
  ),
]
