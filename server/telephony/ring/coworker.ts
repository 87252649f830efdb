import { findEmployeeByExtension, findEmployeesByPhone } from '../../modules/employees/index.ts'
import { decodeId } from '../../platform/ids.ts'
import { normalizePhone } from '../../platform/text/phone.ts'
import { isSipUri, type Uri } from '../../sip/index.ts'
import { readDialled } from '../outbound/outbound-number.ts'
import type { EdgePort } from '../port.ts'

/** Whom an address identifies: one coworker, several, somebody outside the company, or nobody. */
export type CoworkerMatch =
  | { is: 'coworker'; employeeId: string }
  | { is: 'ambiguous' }
  | { is: 'outside'; number: string }
  | { is: 'nobody' }

/** By the user name of one of their devices, by their id, by their extension, or by their own number. */
export async function findCoworker(
  edge: EdgePort,
  { companyId, country }: { companyId: string; country: string },
  uri: Uri,
): Promise<CoworkerMatch> {
  // The number may have parameters.
  const [user = ''] = (isSipUri(uri) ? (uri.user ?? '') : uri.opaque).split(';')
  const employeeId = decodeId('emp', user)
  if (employeeId !== undefined) return { is: 'coworker', employeeId }
  const owner = await edge.ownerOf(user)
  if (owner?.companyId === companyId) return { is: 'coworker', employeeId: owner.employeeId }
  const { dialled } = readDialled(user)
  const extension = await findEmployeeByExtension(edge.db.sql, companyId, dialled)
  if (extension) return { is: 'coworker', employeeId: extension.employee_id }
  const number = normalizePhone(dialled, country)
  if (number === undefined) return { is: 'nobody' }
  const [first, ...others] = await findEmployeesByPhone(edge.db.sql, companyId, number)
  if (first === undefined) return { is: 'outside', number }
  return others.length === 0 ? { is: 'coworker', employeeId: first } : { is: 'ambiguous' }
}
