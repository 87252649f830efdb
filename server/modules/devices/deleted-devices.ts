import type { Database } from '../../platform/db/database.ts'
import { withQueue, availabilityChanged } from '../queue/index.ts'

/** The channel on which the database notifies of deleted devices. */
export const DEVICE_DELETED_CHANNEL = 'device_gone'

export interface DeletedDevice {
  companyId: string
  employeeId: string
  username: string
}

export function parseDeletedDevice(text: string): DeletedDevice {
  const [companyId = '', employeeId = '', username = ''] = text.split(' ')
  return { companyId, employeeId, username }
}

/**
 * A registered device was deleted. Whoever deleted it has published presence, with two exceptions: a process of an
 * older version, and a company that has just required two-factor authentication.
 */
export async function updateAvailabilityAfterDeletion(
  db: Database,
  { companyId, employeeId }: DeletedDevice,
): Promise<void> {
  await db.tx((tx) =>
    withQueue(tx, companyId, (queue) => availabilityChanged(queue, companyId, [employeeId])),
  )
}
