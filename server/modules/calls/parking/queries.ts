import type { Queryable } from '../../../platform/db/database.ts'
import { firstRow, firstValue, hasRow } from '../../../platform/db/rows.ts'
import { contactNameOf } from '../../contacts/index.ts'
import { employeesEver } from '../../employees/index.ts'
import type { QueueTx } from '../../queue/index.ts'
import { CALL_LIMITS } from '../limits.ts'

export interface ParkedCallRow {
  call_id: string
  slot: number
  phone_number: string
  contact_name: string | null
  parked_by: { id: string; name: string }
  parked_at: Date
}

const parkedTables = (sql: Queryable) => sql`
  parked_calls p join calls c on c.company_id = p.company_id and c.id = p.call_id and c.state <> 'ended'`

export function selectParkedCalls(sql: Queryable, companyId: string) {
  return sql<ParkedCallRow[]>`
    select p.call_id, p.slot, c.remote_number as phone_number, p.parked_at,
      ${contactNameOf(sql, sql`c.company_id`, sql`c.remote_number`)} as contact_name,
      json_build_object('id', p.parked_by, 'name', coalesce(e.name, '')) as parked_by
    from ${parkedTables(sql)}
    left join ${employeesEver(sql)} e on e.company_id = p.company_id and e.id = p.parked_by
    where p.company_id = ${companyId} order by p.slot`
}

/** The call in a slot, and its edge. */
export function selectCallInSlot(sql: Queryable, companyId: string, slot: number) {
  return firstRow(sql<{ call_id: string; edge_id: string | null }[]>`
    select p.call_id, c.edge_id from ${parkedTables(sql)} where p.company_id = ${companyId} and p.slot = ${slot}`)
}

export function isParked(sql: Queryable, companyId: string, callId: string) {
  return hasRow(sql`
    select from ${parkedTables(sql)} where p.company_id = ${companyId} and p.call_id = ${callId}`)
}

export async function deleteEndedParkedCalls(tx: QueueTx, companyId: string) {
  await tx`
    delete from parked_calls p using calls c
    where p.company_id = ${companyId} and c.company_id = p.company_id and c.id = p.call_id and c.state = 'ended'`
}

interface NewParkedCall {
  callId: string
  parkedBy: string
  at: Date
  /** Any free one if none is wished. */
  slot: number | undefined
}

/** Returns the slot. Undefined if it is taken, or all are. */
export function insertParkedCall(
  tx: QueueTx,
  companyId: string,
  { callId, parkedBy, at, slot }: NewParkedCall,
) {
  const { parkingSlotFirst, parkingSlotLast } = CALL_LIMITS
  return firstValue(tx<{ slot: number }[]>`
    insert into parked_calls (company_id, slot, call_id, parked_by, parked_at)
    select ${companyId}, slot, ${callId}, ${parkedBy}, ${at}
    from generate_series(${slot ?? parkingSlotFirst}::int, ${slot ?? parkingSlotLast}::int) as slot
    where slot not in (select slot from parked_calls where company_id = ${companyId})
    order by slot limit 1
    returning slot`)
}

export function deleteParkedCall(tx: QueueTx, companyId: string, callId: string) {
  return hasRow(tx`
    delete from parked_calls where company_id = ${companyId} and call_id = ${callId} returning slot`)
}

/** Nobody controls a parked call. With an employee, only if it is they who do. */
export function clearController(tx: QueueTx, companyId: string, callId: string, employeeId: string) {
  return hasRow(tx`
    update calls set controller_id = null
    where company_id = ${companyId} and id = ${callId} and controller_id = ${employeeId} and state <> 'ended'
    returning id`)
}
