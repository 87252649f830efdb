import { findEmployeeByExtension } from '../../modules/employees/index.ts'
import { type IncomingCall, isSipUri } from '../../sip/index.ts'
import { readDialled } from '../outbound/outbound-number.ts'
import type { DeviceOwner, EdgePort } from '../port.ts'

export interface Extension {
  employeeId: string
  extension: string
}

/**
 * The coworker whose extension a phone dialled. Whoever chooses the number to show calls somebody outside, as with a
 * code of the carrier that is also an extension.
 */
export async function findDialledCoworker(
  { db }: EdgePort,
  { uri }: IncomingCall,
  { companyId }: DeviceOwner,
): Promise<Extension | undefined> {
  const { choice, dialled } = readDialled(isSipUri(uri) ? (uri.user ?? '') : uri.opaque)
  if (choice !== undefined) return undefined
  const found = await findEmployeeByExtension(db.sql, companyId, dialled)
  return found && { employeeId: found.employee_id, extension: found.extension }
}
