import type { Tx } from '../../platform/db/database.ts'
import { recordEvent } from '../webhooks/index.ts'
import { clearExpiredDoNotDisturb, type EmployeeRow } from './queries.ts'
import { presentEmployee } from './status.ts'

/** Nothing is told of a change that leaves both presence and do-not-disturb as they were. */
export async function recordStatusChange(
  tx: Tx,
  companyId: string,
  before: EmployeeRow,
  after: EmployeeRow,
): Promise<void> {
  const [was, employee] = [presentEmployee(before), presentEmployee(after)]
  if (was.status === employee.status && was.do_not_disturb === employee.do_not_disturb) return
  await recordEvent(tx, companyId, 'employee.status.changed', { employee })
}

/** The row itself stopped counting when its time was over; this says so. */
export async function switchOffExpiredDoNotDisturb(tx: Tx, employeeId: string): Promise<void> {
  const row = await clearExpiredDoNotDisturb(tx, employeeId)
  if (row) {
    const { company_id, ...employee } = row
    await recordEvent(tx, company_id, 'employee.status.changed', { employee: presentEmployee(employee) })
  }
}
