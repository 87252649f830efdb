import type { Queryable } from '../../../platform/db/database.ts'
import { firstRow, firstValue, hasRow } from '../../../platform/db/rows.ts'
import type { QueueTx } from '../../queue/index.ts'

export interface NewOutsideTransfer {
  callId: string
  employeeId: string
  number: string
  startedAt: Date
}

/** Undefined if another one of the call rings. */
export function insertOutsideTransfer(tx: QueueTx, companyId: string, transfer: NewOutsideTransfer) {
  const { callId, employeeId, number, startedAt } = transfer
  return firstValue(tx<{ id: string }[]>`
    insert into outside_transfers (company_id, call_id, employee_id, number, started_at)
    values (${companyId}, ${callId}, ${employeeId}, ${number}, ${startedAt})
    on conflict (company_id, call_id) where state = 'ringing' do nothing
    returning id`)
}

/** False if it is over. */
export function updateOutsideTransfer(
  tx: QueueTx,
  companyId: string,
  id: string,
  state: 'completed' | 'failed',
) {
  return hasRow(tx`
    update outside_transfers set state = ${state}
    where company_id = ${companyId} and id = ${id} and state = 'ringing' returning id`)
}

export interface OutsideTransferRow {
  id: string
  state: 'ringing' | 'completed' | 'failed'
  number: string
  employee_id: string
}

const outsideColumns = (sql: Queryable) => sql`id, state, number, employee_id`

export function selectOutsideTransfer(sql: Queryable, companyId: string, callId: string, id: string) {
  return firstRow(sql<OutsideTransferRow[]>`
    select ${outsideColumns(sql)} from outside_transfers
    where company_id = ${companyId} and call_id = ${callId} and id = ${id}`)
}

export function selectRingingOutside(sql: Queryable, companyId: string, callId: string) {
  return firstRow(sql<OutsideTransferRow[]>`
    select ${outsideColumns(sql)} from outside_transfers
    where company_id = ${companyId} and call_id = ${callId} and state = 'ringing'`)
}

export function hasRingingOutside(sql: Queryable, companyId: string, callId: string) {
  return hasRow(sql`
    select from outside_transfers
    where company_id = ${companyId} and call_id = ${callId} and state = 'ringing'`)
}
