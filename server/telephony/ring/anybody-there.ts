import { wasRegisteredSince } from '../../modules/devices/index.ts'
import { findEmployees } from '../../modules/employees/index.ts'
import { isReachable } from '../../modules/queue/index.ts'
import { TELEPHONY_LIMITS } from '../limits.ts'
import type { EdgePort } from '../port.ts'

/** Whether one of the employees could answer now or after their current call, or will be back in a moment. */
export async function isAnybodyThere(
  { db, clock }: Pick<EdgePort, 'db' | 'clock'>,
  companyId: string,
  employeeIds: string[],
): Promise<boolean> {
  const employees = await findEmployees(db.sql, companyId, employeeIds)
  if (employees.some(isReachable)) return true
  const signedOut = employees.filter((each) => each.status === 'logged_out' && !each.invitation_pending)
  const since = new Date(clock.now().getTime() - TELEPHONY_LIMITS.phoneAwayMs)
  return wasRegisteredSince(
    db.sql,
    companyId,
    signedOut.map(({ id }) => id),
    since,
  )
}
