import type { EmployeeRow } from './presence-queries.ts'

/** Whether the employee could answer a call, now or after the current one. */
export const isReachable = ({ status }: EmployeeRow) => ['available', 'ringing', 'on_call'].includes(status)

/** As the API and events show an employee. */
export const presentEmployee = (row: EmployeeRow) => ({
  ...row,
  do_not_disturb: row.do_not_disturb_activated_at !== null,
})
