import { publishToCompany } from '../../live.ts'
import type { Tx } from '../../platform/db/database.ts'
import type { Actor } from '../../platform/http/route.ts'
import { recordEvent } from '../webhooks/index.ts'
import { presentEmployee } from './employee-row.ts'
import { type EmployeeRow, updatePublishedStatus } from './presence-queries.ts'
import { offerCallers, withdrawOffers } from './queue.ts'
import { type QueueTx, withQueue } from './with-queue.ts'

/**
 * Must be called when the availability of these employees may have changed: a call began or ended, or a device
 * registered or deregistered. Offers available employees to waiting callers, and publishes each changed presence once.
 */
export async function availabilityChanged(
  tx: QueueTx,
  companyId: string,
  employeeIds: readonly string[],
): Promise<void> {
  await settle(tx, companyId, employeeIds)
}

/**
 * Runs `end`, which deletes a session, a key, a grant or a device of an employee. The database deletes the devices that
 * were created with it, so this needs the queue's lock, and availability is updated afterwards.
 */
export function endAccess<T>(
  tx: Tx,
  { companyId, employeeId }: Actor,
  end: (tx: QueueTx) => Promise<T>,
): Promise<T> {
  return withQueue(tx, companyId, async (queue) => {
    const outcome = await end(queue)
    await availabilityChanged(queue, companyId, [employeeId])
    return outcome
  })
}

/** Do-not-disturb was switched: ringing stops at once. It is published even if the status remains `on_call`. */
export async function doNotDisturbChanged(
  tx: QueueTx,
  companyId: string,
  { employeeId, enabled }: { employeeId: string; enabled: boolean },
): Promise<EmployeeRow> {
  if (enabled) await withdrawOffers(tx, companyId, employeeId)
  const rows = await settle(tx, companyId, [employeeId], [employeeId])
  return rows.find(({ id }) => id === employeeId)!
}

/** Returns the employees whose presence was published. */
async function settle(
  tx: QueueTx,
  companyId: string,
  employeeIds: readonly string[],
  always: string[] = [],
): Promise<EmployeeRow[]> {
  const ringing = await offerCallers(tx, companyId)
  const rows = await updatePublishedStatus(tx, companyId, [...new Set([...employeeIds, ...ringing])], always)
  for (const row of rows) await publishStatus(tx, companyId, row)
  return rows
}

async function publishStatus(tx: Tx, companyId: string, row: EmployeeRow): Promise<void> {
  await Promise.all([
    recordEvent(tx, companyId, 'employee.status.changed', { employee: presentEmployee(row) }),
    publishToCompany(tx, companyId, { type: 'presence_update', employee_id: row.id }),
  ])
}
