import type { EmployeeRow } from './queries.ts'
import type { Employee } from './schemas.ts'

/** By precedence: on_call, do_not_disturb, ringing, available, logged_out. Calls and phones give no signal yet. */
export function statusOf(row: EmployeeRow): Employee['status'] {
  return row.do_not_disturb_activated_at ? 'do_not_disturb' : 'logged_out'
}

/** Whether a call to this employee could still be answered. */
export const isReachable = (row: EmployeeRow) => ['available', 'ringing', 'on_call'].includes(statusOf(row))

export const presentEmployee = (row: EmployeeRow): Employee => ({
  ...row,
  status: statusOf(row),
  do_not_disturb: row.do_not_disturb_activated_at !== null,
})
