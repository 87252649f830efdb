import type { Tx } from '../../../platform/db/database.ts'
import type { Actor } from '../../../platform/http/route.ts'
import { enqueue } from '../../../platform/jobs/job.ts'
import { type EmailOrigin, requireEmailRate } from '../../emails/index.ts'
import { deletePendingPasswordReset } from '../account/account-queries.ts'
import { inviteEmployee, sendEmailChangeNotice, sendEmailConfirmation } from '../jobs.ts'
import { deleteInvitationOf } from '../queries.ts'
import { deleteEmailChange, type EmailState, renewEmailChange } from './email-change-queries.ts'
import { isSameEmail } from './same-email.ts'

interface EmailChange {
  /** The columns that change. */
  values: { email?: string; unconfirmed_email?: string | null }
  /** Runs in the transaction before the row changes: checks the rate limit, enqueues e-mails, deletes old links. */
  prepare: (tx: Tx) => Promise<void>
}

/**
 * An employee with a password signs in with their current address until they confirm the new one. So an API key can
 * change what the API shows, but cannot take over the account. An invited employee has no account to take over yet: the
 * invitation is sent to the new address, and the previous link stops working.
 */
export function changeEmail(sender: EmailOrigin & Actor, employee: EmailState, wanted: string): EmailChange {
  const { company_id: companyId, id: employeeId } = employee
  if (employee.invitation_pending) {
    return {
      values: { email: wanted },
      async prepare(tx) {
        const isElsewhere = !isSameEmail(employee.email, wanted)
        if (!isElsewhere || !(await deleteInvitationOf(tx, employeeId))) return
        await requireEmailRate(tx, sender, [wanted])
        await enqueue(tx, inviteEmployee, { employeeId })
      },
    }
  }
  if (isSameEmail(employee.email, wanted)) {
    return {
      values: { email: wanted, unconfirmed_email: null },
      prepare: (tx) => deleteEmailChange(tx, companyId, employeeId),
    }
  }
  return {
    values: { unconfirmed_email: wanted },
    async prepare(tx) {
      if (isSameEmail(employee.unconfirmed_email, wanted)) return
      await requireEmailRate(tx, sender, [wanted, employee.email])
      await renewEmailChange(tx, companyId, employeeId)
      // An earlier password reset link must not outlive the change: the notice says nothing about it.
      await deletePendingPasswordReset(tx, companyId, employeeId)
      const change = { companyId, employeeId, email: wanted }
      const at = sender.clock.now().toISOString()
      await enqueue(tx, sendEmailChangeNotice, { ...change, from: employee.email, by: sender.employeeId, at })
      await enqueue(tx, sendEmailConfirmation, change)
    },
  }
}
