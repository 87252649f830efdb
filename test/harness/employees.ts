import { createEmployeeWithPassword } from '../../server/modules/employees/index.ts'
import { hashPassword } from '../../server/platform/crypto/passwords.ts'
import type { Tx } from '../../server/platform/db/database.ts'

/** Employees who never sign in share a password. */
const UNUSED = 'nobody signs in with this'

const hashes = new Map<string, Promise<string>>()

/** Hashed once at full strength: otherwise the hash would be most of the cost of a new company. */
function hashOnce(password: string): Promise<string> {
  const hash = hashes.get(password) ?? hashPassword(password)
  hashes.set(password, hash)
  return hash
}

/** An employee with a password and without an invitation. */
export const newEmployee = (
  tx: Tx,
  companyId: string,
  { password = UNUSED, ...input }: { name: string; email: string; password?: string },
) => createEmployeeWithPassword(tx, { companyId }, { ...input, password }, hashOnce)
