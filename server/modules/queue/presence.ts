import { publishToCompany } from '../../live.ts'
import type { Tx } from '../../platform/db/database.ts'
import type { Actor } from '../../platform/http/route.ts'
import { recordEvent } from '../webhooks/index.ts'
import { presentEmployee } from './employee-row.ts'
import { type EmployeeRow, updatePublishedStatus } from './presence-queries.ts'
import { offerCallers, withdrawOffers } from './queue.ts'
import { type QueueTx, withQueue } from './with-queue.ts'

/**
 * Something happened that may make these employees free, busy or unreachable: a call began or ended, a phone came or
 * went. Whoever is free now rings for the callers who wait, and whose presence changed is told of, once.
 */
export async function availabilityChanged(
  tx: QueueTx,
  companyId: string,
  employeeIds: readonly string[],
): Promise<void> {
  await settle(tx, companyId, employeeIds)
}

/**
 * Does what ends access of an employee: a session, a key, a grant or a device goes. The phones that were made with it go
 * with it in the database, so this is done with the queue, and what follows for the queue and for presence comes last.
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

/** Do-not-disturb was switched: what rings stops at once. It is published even while a call hides it. */
export async function doNotDisturbChanged(
  tx: QueueTx,
  companyId: string,
  { employeeId, enabled }: { employeeId: string; enabled: boolean },
): Promise<EmployeeRow> {
  if (enabled) await withdrawOffers(tx, companyId, employeeId)
  const rows = await settle(tx, companyId, [employeeId], [employeeId])
  return rows.find(({ id }) => id === employeeId)!
}

/** Returns those whose presence was published. */
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
