import { tellCompany } from '../../live.ts'
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
  const [was, is] = [presentEmployee(before), presentEmployee(after)]
  if (was.status !== is.status || was.do_not_disturb !== is.do_not_disturb)
    await tellStatus(tx, companyId, after)
}

/** The row itself stopped counting when its time was over; this says so. */
export async function switchOffExpiredDoNotDisturb(tx: Tx, employeeId: string): Promise<void> {
  const row = await clearExpiredDoNotDisturb(tx, employeeId)
  if (!row) return
  const { company_id: companyId, ...employee } = row
  await tellStatus(tx, companyId, employee)
}

async function tellStatus(tx: Tx, companyId: string, row: EmployeeRow): Promise<void> {
  await recordEvent(tx, companyId, 'employee.status.changed', { employee: presentEmployee(row) })
  await tellCompany(tx, companyId, { type: 'presence_update', employee_id: row.id })
}
