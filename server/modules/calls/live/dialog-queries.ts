import type { Queryable } from '../../../platform/db/database.ts'

/** A call that an employee has or that rings at them, without the queue's. */
export interface EmployeeDialogRow {
  employee_id: string
  /** Of the call. */
  id: string
  /** Whether the employee placed the call. */
  is_caller: boolean
  is_answered: boolean
}

export function selectDialogs(sql: Queryable, companyId: string, employeeIds: readonly string[]) {
  const ids = sql`any(${employeeIds}::uuid[])`
  return sql<EmployeeDialogRow[]>`
    select controller_id as employee_id, id, direction = 'outbound' and initiated_by is not distinct from controller_id
        as is_caller, answered_at is not null as is_answered
    from calls where company_id = ${companyId} and controller_id = ${ids} and state <> 'ended'
    union all
    select to_employee_id, call_id, false, state = 'consulting'
    from transfers
    where company_id = ${companyId} and to_employee_id = ${ids} and state in ('ringing', 'consulting')
    union all
    select from_employee_id, id, true, state = 'answered'
    from internal_calls where company_id = ${companyId} and from_employee_id = ${ids} and state <> 'ended'
    union all
    select to_employee_id, id, false, state = 'answered'
    from internal_calls where company_id = ${companyId} and to_employee_id = ${ids} and state <> 'ended'`
}
