import type { Tx } from '../../platform/db/database.ts'
import type { Actor } from '../../platform/http/route.ts'
import { isSubscribed, recordEvent } from '../webhooks/index.ts'
import { presentEmployee } from './employee-row.ts'
import { type ChangedEmployee, type EmployeeRow, updatePublishedStatus } from './presence-queries.ts'
import { insertOffers, type Offer } from './queries.ts'
import { withdrawOffers } from './queue.ts'
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
  await publishAvailability(tx, companyId, await updateAvailability(tx, companyId, employeeIds))
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
  const availability = await updateAvailability(tx, companyId, [employeeId], { always: [employeeId] })
  await publishAvailability(tx, companyId, availability)
  const { events: _, notified: __, ...row } = availability.changed.find(({ id }) => id === employeeId)!
  return row
}

/** What became of the availability of employees. The events are not recorded yet. */
interface Availability {
  offers: Offer[]
  changed: ChangedEmployee[]
}

interface AvailabilityOptions {
  /** Published even if it has not changed. */
  always?: string[]
  isAnybodyFreed?: boolean
  /** Its edge, which runs this, is not notified of its offers. */
  ownCallId?: string | null
}

/** The first half of `availabilityChanged`, for a transaction that has something to publish before. */
export async function updateAvailability(
  tx: QueueTx,
  companyId: string,
  employeeIds: readonly string[],
  { always = [], isAnybodyFreed = true, ownCallId = null }: AvailabilityOptions = {},
): Promise<Availability> {
  // The database runs them in this order, so that the second knows who rings by the first.
  const [offers, changed] = await Promise.all([
    isAnybodyFreed ? insertOffers(tx, companyId, ownCallId) : [],
    updatePublishedStatus(tx, companyId, employeeIds, always),
  ])
  return { offers, changed }
}

/** The second half. */
export async function publishAvailability(
  tx: QueueTx,
  companyId: string,
  { changed }: Pick<Availability, 'changed'>,
): Promise<void> {
  for (const { events, notified: _, ...row } of changed)
    if (isSubscribed({ events }, 'employee.status.changed'))
      await recordEvent(tx, companyId, 'employee.status.changed', { employee: presentEmployee(row) })
}
