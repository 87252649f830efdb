import { z } from 'zod'

import { handleJob, type JobHandler, jobKind } from '../../platform/jobs/job.ts'
import { endDoNotDisturb, switchOffExpiredDoNotDisturb } from './do-not-disturb.ts'
import { sendConfirmation, writeEmailChangeNotice } from './email-change/email-change-mail.ts'
import { type InvitationParts, sendInvitation } from './invitations.ts'

export const inviteEmployee = jobKind('employees.invite', z.object({ employeeId: z.uuid() }))

const emailChange = { companyId: z.uuid(), employeeId: z.uuid(), email: z.string() }

/** Sends the confirmation link to the new address. */
export const sendEmailConfirmation = jobKind('employees.send_email_confirmation', z.object(emailChange))

/** Notifies the current address of what was changed, when and by whom, with the link that cancels the change. */
export const sendEmailChangeNotice = jobKind(
  'employees.tell_of_email_change',
  z.object({ ...emailChange, from: z.string(), by: z.uuid(), at: z.iso.datetime() }),
)

export const employeeJobs = (parts: InvitationParts): JobHandler[] => [
  handleJob(inviteEmployee, ({ employeeId }) => sendInvitation(parts, employeeId)),
  handleJob(sendEmailConfirmation, (change) => sendConfirmation(parts, change)),
  handleJob(sendEmailChangeNotice, (change) => writeEmailChangeNotice(parts, change)),
  handleJob(endDoNotDisturb, ({ employeeId }) =>
    parts.db.tx((tx) => switchOffExpiredDoNotDisturb(tx, employeeId)),
  ),
]
