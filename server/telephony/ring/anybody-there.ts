import { wasRegisteredSince } from '../../modules/devices/index.ts'
import { findEmployees } from '../../modules/employees/index.ts'
import { hasBrowserToRing } from '../../modules/push/index.ts'
import { isReachable } from '../../modules/queue/index.ts'
import { TELEPHONY_LIMITS } from '../limits.ts'
import type { EdgePort } from '../port.ts'

/**
 * `there`: one of the employees could answer now or after their current call, or will be back in a moment.
 * `alerted`: none could, but a browser tells one of them that somebody waits.
 */
export type Attendance = 'there' | 'alerted' | 'nobody'

export async function attendanceOf(
  { db, clock }: Pick<EdgePort, 'db' | 'clock'>,
  companyId: string,
  employeeIds: string[],
): Promise<Attendance> {
  const employees = await findEmployees(db.sql, companyId, employeeIds)
  if (employees.some(isReachable)) return 'there'
  const signedOut = employees
    .filter((each) => each.status === 'logged_out' && !each.invitation_pending)
    .map(({ id }) => id)
  const since = new Date(clock.now().getTime() - TELEPHONY_LIMITS.phoneAwayMs)
  if (await wasRegisteredSince(db.sql, companyId, signedOut, since)) return 'there'
  return (await hasBrowserToRing(db.sql, companyId, signedOut)) ? 'alerted' : 'nobody'
}
