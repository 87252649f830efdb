import type { Queryable } from '../../../platform/db/database.ts'
import { type Actor, NO_CONTENT } from '../../../platform/http/route.ts'
import { allowsOutsideTransfers } from '../../company/index.ts'
import { listEmployees } from '../../employees/index.ts'
import { selectRingingOutside } from '../transfers/outside-queries.ts'
import { selectOpenTransfer } from '../transfers/queries.ts'
import { presentOutsideTransfer } from '../transfers/request-outside.ts'
import { presentTransfer } from '../transfers/transfers.ts'
import { selectActiveCall } from './queries.ts'
import type { ActiveCall } from './schemas.ts'

/** The employee's active call, and the coworkers to whom it could be transferred. No content when idle. */
export async function readActiveCall(sql: Queryable, actor: Actor): Promise<ActiveCall | typeof NO_CONTENT> {
  const { companyId, employeeId } = actor
  const call = await selectActiveCall(sql, companyId, employeeId)
  if (!call) return NO_CONTENT
  const [transfer, outside, canTransferOutside, employees] = await Promise.all([
    selectOpenTransfer(sql, companyId, call.id),
    selectRingingOutside(sql, companyId, call.id),
    allowsOutsideTransfers(sql, companyId),
    listEmployees(sql, actor),
  ])
  const coworkers = employees.filter(({ id }) => id !== employeeId)
  const inbound = call.direction === 'inbound'
  return {
    call: {
      id: call.id,
      state: call.state,
      direction: call.direction,
      from: inbound ? call.remote_number : call.number,
      to: inbound ? call.number : call.remote_number,
    },
    transfer: transfer ? presentTransfer(transfer) : null,
    outside_transfer: outside ? presentOutsideTransfer(outside) : null,
    can_transfer_outside: canTransferOutside,
    // The contract has no do_not_disturb here: such an employee cannot take the call either.
    employees: coworkers.map(({ id, name, status }) => ({
      id,
      name,
      status: status === 'do_not_disturb' ? 'logged_out' : status,
    })),
    available_employees: coworkers
      .filter(({ status }) => status === 'available')
      .map(({ id, name }) => ({ id, name })),
  }
}
