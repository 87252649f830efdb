import type { Queryable } from '../../../platform/db/database.ts'
import { offersTo } from '../../queue/index.ts'
import { type EmployeeDialogRow, selectDialogs } from './dialog-queries.ts'

/** The calls that these employees have, and those that ring at them, oldest first. */
export async function dialogsOf(
  sql: Queryable,
  companyId: string,
  employeeIds: readonly string[],
): Promise<EmployeeDialogRow[]> {
  const [calls, offers] = await Promise.all([
    selectDialogs(sql, companyId, employeeIds),
    offersTo(sql, companyId, employeeIds),
  ])
  const offered = offers.map(({ employee_id, call_id: id }) => ({
    employee_id,
    id,
    is_caller: false,
    is_answered: false,
  }))
  // The two are read one after the other: a call that was answered in between is in both.
  const isNew = (offer: EmployeeDialogRow) =>
    !calls.some(({ employee_id, id }) => employee_id === offer.employee_id && id === offer.id)
  return [...calls, ...offered.filter(isNew)].toSorted((a, b) => (a.id < b.id ? -1 : 1))
}
