import type { Queryable } from '../../../platform/db/database.ts'
import { firstRow } from '../../../platform/db/rows.ts'

export interface RingingCall {
  call_id: string
  edge_id: string
  /** Null for a call between coworkers. */
  transfer_id: string | null
}

/** What rings this employee, or anybody, besides the queue: a coworker or a transfer. Of several, what rings longest. */
export function selectRingingCall(sql: Queryable, companyId: string, employeeId: string | undefined) {
  const isRung = employeeId === undefined ? sql`` : sql`and to_employee_id = ${employeeId}`
  return firstRow(sql<RingingCall[]>`
    select ringing.call_id, ringing.edge_id, ringing.transfer_id from (
      select id as call_id, edge_id, null::uuid as transfer_id, started_at as since from internal_calls
      where company_id = ${companyId} and state = 'initiated' ${isRung}
      union all
      select t.call_id, c.edge_id, t.id, t.created_at from transfers t
      join calls c on c.company_id = t.company_id and c.id = t.call_id
      where t.company_id = ${companyId} and t.state = 'ringing' and c.edge_id is not null ${isRung}
    ) ringing order by ringing.since limit 1`)
}
