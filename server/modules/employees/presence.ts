import { tellCompany } from '../../live.ts'
import type { Tx } from '../../platform/db/database.ts'
import type { Actor } from '../../platform/http/route.ts'
import { offerCallers, type QueueTx, withdrawOffers, withQueue } from '../queue/index.ts'
import { recordEvent } from '../webhooks/index.ts'
import {
  clearExpiredDoNotDisturb,
  type EmployeeRow,
  selectCompanyOf,
  selectEmployee,
  updateJoined,
  updateToldStatus,
} from './queries.ts'
import { presentEmployee } from './status.ts'

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

/** Do-not-disturb was switched: what rings stops at once. It is told of even while a call hides it. */
export async function doNotDisturbChanged(
  tx: QueueTx,
  companyId: string,
  { employeeId, enabled }: { employeeId: string; enabled: boolean },
): Promise<EmployeeRow> {
  if (enabled) await withdrawOffers(tx, companyId, employeeId)
  const told = await settle(tx, companyId, [employeeId])
  const row = (await selectEmployee(tx, companyId, employeeId))!
  if (!told.has(employeeId)) await tellStatus(tx, companyId, row)
  return row
}

/** The row itself stopped counting when its time was over; this says so. */
export async function switchOffExpiredDoNotDisturb(tx: Tx, employeeId: string): Promise<void> {
  const companyId = await selectCompanyOf(tx, employeeId)
  if (companyId === undefined) return
  await withQueue(tx, companyId, async (queue) => {
    if (await clearExpiredDoNotDisturb(queue, employeeId))
      await doNotDisturbChanged(queue, companyId, { employeeId, enabled: false })
  })
}

/** The employee has followed the invitation: from now on their phones ring. */
export async function employeeJoined(tx: QueueTx, companyId: string, employeeId: string): Promise<void> {
  await updateJoined(tx, companyId, employeeId)
  await settle(tx, companyId, [employeeId])
}

async function settle(tx: QueueTx, companyId: string, employeeIds: readonly string[]): Promise<Set<string>> {
  const ringing = await offerCallers(tx, companyId)
  const rows = await updateToldStatus(tx, companyId, [...new Set([...employeeIds, ...ringing])])
  for (const row of rows) await tellStatus(tx, companyId, row)
  return new Set(rows.map((row) => row.id))
}

async function tellStatus(tx: Tx, companyId: string, row: EmployeeRow): Promise<void> {
  await Promise.all([
    recordEvent(tx, companyId, 'employee.status.changed', { employee: presentEmployee(row) }),
    tellCompany(tx, companyId, { type: 'presence_update', employee_id: row.id }),
  ])
}
