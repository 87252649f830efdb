import type { EmployeeRow } from './queries.ts'
import type { Employee } from './schemas.ts'

/** Whether a call to this employee could still be answered. */
export const isReachable = ({ status }: EmployeeRow) => ['available', 'ringing', 'on_call'].includes(status)

export const presentEmployee = (row: EmployeeRow): Employee => ({
  ...row,
  do_not_disturb: row.do_not_disturb_activated_at !== null,
})
