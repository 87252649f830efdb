import type { Tx } from '../../platform/db/database.ts'

/** Phones have come or gone. Presence does not follow them yet; it is told from here. */
export const availabilityChanged: (
  tx: Tx,
  companyId: string,
  employeeIds: string[],
) => Promise<void> = async () => {}
