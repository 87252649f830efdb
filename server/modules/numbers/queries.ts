import type { Queryable, Tx } from '../../platform/db/database.ts'
import type { BusinessDay } from './business-hours.ts'
import type { CallFlow } from './call-flow.ts'

export type Slot = 'incoming_call' | 'outside_business_hours' | 'no_answer'

interface NewNumber {
  company_id: string
  name: string
  number: string
  timezone: string
  language: string
  sms_capable: boolean
  wait_audio: string
  incoming_call_config: CallFlow
  outside_business_hours_config: CallFlow
  business_hours: BusinessDay[]
}

export async function insertNumber(tx: Tx, number: NewNumber) {
  const values = {
    ...number,
    incoming_call_config: tx.json(number.incoming_call_config),
    outside_business_hours_config: tx.json(number.outside_business_hours_config),
    business_hours: tx.json(number.business_hours as never),
  }
  const [row] = await tx<{ id: string }[]>`insert into business_numbers ${tx(values)} returning id`
  return row!.id
}

export async function insertCallTargets(
  tx: Tx,
  companyId: string,
  numberId: string,
  slot: Slot,
  employeeIds: string[],
) {
  if (employeeIds.length === 0) return
  const rows = employeeIds.map((employee_id) => ({
    company_id: companyId,
    business_number_id: numberId,
    slot,
    employee_id,
  }))
  await tx`insert into call_targets ${tx(rows)}`
}

export async function selectEmployeeIds(sql: Queryable, companyId: string) {
  const rows = await sql<
    { id: string }[]
  >`select id from employees where company_id = ${companyId} order by id`
  return rows.map((row) => row.id)
}

export function selectNumbers(sql: Queryable, companyId: string) {
  return sql<{ id: string; number: string; name: string; registration_status: string }[]>`
    select id, number, name, registration_status from business_numbers where company_id = ${companyId} order by id`
}

export async function updateRegistration(
  tx: Tx,
  numberId: string,
  { status, dueAt, reason }: { status: string; dueAt: Date | null | undefined; reason: string | null },
) {
  const rows = await tx`
    update business_numbers
    set ${tx({ registration_status: status, registration_reason: reason, updated_at: tx`now()` as never })}
      ${dueAt === undefined ? tx`` : tx`, registration_due_at = ${dueAt}`}
    where id = ${numberId} returning id`
  return rows.length === 1
}
