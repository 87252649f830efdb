import { createEmployeeWithPassword } from '../../server/modules/employees/index.ts'
import { hashPassword } from '../../server/platform/crypto/passwords.ts'
import type { Tx } from '../../server/platform/db/database.ts'

/** Those who never sign in share a password. */
const UNUSED = 'nobody signs in with this'

const hashes = new Map<string, Promise<string>>()

/** At full strength, but once for all: most of what a new company costs would be a hash that nobody looks at. */
function hashOnce(password: string): Promise<string> {
  const hash = hashes.get(password) ?? hashPassword(password)
  hashes.set(password, hash)
  return hash
}

/** Somebody who has a password, and is not invited. */
export const newEmployee = (
  tx: Tx,
  companyId: string,
  { password = UNUSED, ...input }: { name: string; email: string; password?: string },
) => createEmployeeWithPassword(tx, { companyId }, { ...input, password }, hashOnce)
