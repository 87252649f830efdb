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
  /** What changes of the row. */
  values: { email?: string; unconfirmed_email?: string | null }
  /** What it takes, in the same transaction before the row changes: the pace of letters, the letters, old links. */
  prepare: (tx: Tx) => Promise<void>
}

/**
 * Whoever has a password signs in with the address they have until they confirm the new one; an API key can change
 * what the API shows, and cannot take over the account by it. Who is still invited has nothing to take over: the
 * invitation goes to the new address, and the link sent to the other one is dead.
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
      // A link that was asked for before is not one that the letter about the change speaks of.
      await deletePendingPasswordReset(tx, companyId, employeeId)
      const change = { companyId, employeeId, email: wanted }
      const at = sender.clock.now().toISOString()
      await enqueue(tx, sendEmailChangeNotice, { ...change, from: employee.email, by: sender.employeeId, at })
      await enqueue(tx, sendEmailConfirmation, change)
    },
  }
}
