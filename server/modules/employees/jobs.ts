import { z } from 'zod'

import { tellCompany } from '../../live.ts'
import type { Tx } from '../../platform/db/database.ts'
import { handleJob, type JobHandler, jobKind } from '../../platform/jobs/job.ts'
import { type InvitationParts, sendInvitation } from './invitations.ts'
import { clearExpiredDoNotDisturb } from './queries.ts'

export const inviteEmployee = jobKind('employees.invite', z.object({ employeeId: z.uuid() }))

/** Switches do-not-disturb off when its time is over. */
export const endDoNotDisturb = jobKind('employees.end_do_not_disturb', z.object({ employeeId: z.uuid() }))

export const employeeJobs = (parts: InvitationParts): JobHandler[] => [
  handleJob(inviteEmployee, ({ employeeId }) => sendInvitation(parts, employeeId)),
  handleJob(endDoNotDisturb, ({ employeeId }) => parts.db.tx((tx) => expireDoNotDisturb(tx, employeeId))),
]

async function expireDoNotDisturb(tx: Tx, employeeId: string): Promise<void> {
  const companyId = await clearExpiredDoNotDisturb(tx, employeeId)
  if (companyId) await tellCompany(tx, companyId, { type: 'presence_update', employee_id: employeeId })
}
