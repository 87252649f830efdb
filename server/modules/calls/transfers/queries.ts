import type { Queryable } from '../../../platform/db/database.ts'
import { firstRow, firstValue, hasRow } from '../../../platform/db/rows.ts'
import { employeesEver } from '../../employees/index.ts'
import type { QueueTx } from '../../queue/index.ts'
import type { TransferState } from './schemas.ts'

export interface TransferRow {
  id: string
  call_id: string
  state: TransferState
  is_blind: boolean
  from_employee: { id: string; name: string }
  to_employee: { id: string; name: string }
}

const transferColumns = (sql: Queryable) => sql`
  t.id, t.call_id, t.state, t.is_blind,
  json_build_object('id', t.from_employee_id, 'name', coalesce(f.name, '')) as from_employee,
  json_build_object('id', t.to_employee_id, 'name', coalesce(o.name, '')) as to_employee`
const transferTables = (sql: Queryable) => sql`
  transfers t
  left join ${employeesEver(sql)} f on f.company_id = t.company_id and f.id = t.from_employee_id
  left join ${employeesEver(sql)} o on o.company_id = t.company_id and o.id = t.to_employee_id`

export function selectTransfer(sql: Queryable, companyId: string, callId: string, id: string) {
  return firstRow(sql<TransferRow[]>`
    select ${transferColumns(sql)} from ${transferTables(sql)}
    where t.company_id = ${companyId} and t.call_id = ${callId} and t.id = ${id}`)
}

export function selectOpenTransfer(sql: Queryable, companyId: string, callId: string) {
  return firstRow(sql<TransferRow[]>`
    select ${transferColumns(sql)} from ${transferTables(sql)}
    where t.company_id = ${companyId} and t.call_id = ${callId} and t.state in ('ringing', 'consulting')`)
}

export function hasOpenTransfer(sql: Queryable, companyId: string, callId: string) {
  return hasRow(sql`
    select from transfers
    where company_id = ${companyId} and call_id = ${callId} and state in ('ringing', 'consulting')`)
}

interface NewTransfer {
  callId: string
  from: string
  to: string
  state: 'ringing' | 'consulting'
  isBlind: boolean
}

/** Undefined if another transfer of the call is open. */
export function insertTransfer(
  tx: QueueTx,
  companyId: string,
  { callId, from, to, state, isBlind }: NewTransfer,
) {
  return firstValue(tx<{ id: string }[]>`
    insert into transfers (company_id, call_id, state, from_employee_id, to_employee_id, is_blind)
    values (${companyId}, ${callId}, ${state}, ${from}, ${to}, ${isBlind})
    on conflict (company_id, call_id) where state in ('ringing', 'consulting') do nothing
    returning id`)
}

/** Replaces the coworker who was called by the one who answers. */
export async function updateTransferPickedUp(tx: QueueTx, companyId: string, id: string, by: string) {
  await tx`
    update transfers set state = 'consulting', to_employee_id = ${by}
    where company_id = ${companyId} and id = ${id} and state = 'ringing'`
}

/** False if the transfer is no longer open, or is already in that state. */
export function updateTransfer(tx: QueueTx, companyId: string, id: string, state: TransferState) {
  return hasRow(tx`
    update transfers
    set state = ${state}, ended_at = case when ${state} in ('ringing', 'consulting') then null else now() end
    where company_id = ${companyId} and id = ${id} and state in ('ringing', 'consulting') and state <> ${state}
    returning id`)
}
