import { z } from 'zod'

import { handleJob, type JobHandler, jobKind } from '../../platform/jobs/job.ts'
import { type InvitationParts, sendInvitation } from './invitations.ts'

export const inviteEmployee = jobKind('employees.invite', z.object({ employeeId: z.uuid() }))

export const employeeJobs = (parts: InvitationParts): JobHandler[] => [
  handleJob(inviteEmployee, ({ employeeId }) => sendInvitation(parts, employeeId)),
]
