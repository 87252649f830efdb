import type { Database } from '../../platform/db/database.ts'
import { withQueue, availabilityChanged } from '../queue/index.ts'

/** Where the database announces each device that is gone. */
export const DEVICE_GONE = 'device_gone'

export interface GoneDevice {
  companyId: string
  employeeId: string
  username: string
}

export function readGoneDevice(text: string): GoneDevice {
  const [companyId = '', employeeId = '', username = ''] = text.split(' ')
  return { companyId, employeeId, username }
}

/**
 * A registered device is gone. Whoever ended it has told of presence, with two exceptions: a process of an older version,
 * and a company that came to ask for a second factor.
 */
export async function settleAfterLoss(db: Database, { companyId, employeeId }: GoneDevice): Promise<void> {
  await db.tx((tx) =>
    withQueue(tx, companyId, (queue) => availabilityChanged(queue, companyId, [employeeId])),
  )
}
