import { hash } from '@node-rs/argon2'

import { createEmployeeWithPassword } from '../../server/modules/employees/index.ts'
import type { Tx } from '../../server/platform/db/database.ts'

/** Employees who never sign in share a password. */
const UNUSED = 'nobody signs in with this'

const hashes = new Map<string, Promise<string>>()

/**
 * Argon2 reads its cost from the hash, so each sign-in with this one is cheap too. Passwords that are set through the
 * service have the full cost.
 */
function hashCheaply(password: string): Promise<string> {
  const hashed = hashes.get(password) ?? hash(password, { memoryCost: 8, timeCost: 1, parallelism: 1 })
  hashes.set(password, hashed)
  return hashed
}

/** An employee with a password and without an invitation. */
export const newEmployee = (
  tx: Tx,
  companyId: string,
  { password = UNUSED, ...input }: { name: string; email: string; password?: string },
) => createEmployeeWithPassword(tx, { companyId }, { ...input, password }, hashCheaply)
