import { z } from 'zod'

import { randomToken, sha256 } from '../../platform/crypto/crypto.ts'
import type { Tx } from '../../platform/db/database.ts'
import { fail, notFound } from '../../platform/errors.ts'
import type { Actor } from '../../platform/http/route.ts'
import { requiredLine } from '../../platform/schemas.ts'
import { endAccess } from '../queue/index.ts'
import { formatKey } from './key-text.ts'
import { deleteOwnKey, insertKey, selectKey } from './queries.ts'

/** More than anyone needs; it stops a program that creates keys in a loop. */
export const KEYS_PER_EMPLOYEE = 100

export const KeyCreate = z.object({ name: requiredLine(128) })

/** The key is returned only here: only its hash is stored. */
export async function createApiKey(
  tx: Tx,
  employeeId: string,
  name: string,
): Promise<{ id: string; key: string }> {
  const values = KeyCreate.parse({ name })
  const secret = randomToken()
  const id = (await insertKey(tx, employeeId, values.name, sha256(secret))) ?? fail(notFound())
  return { id, key: formatKey(id, secret) }
}

/** For the operator. */
export async function revokeApiKey(tx: Tx, id: string): Promise<void> {
  const { company_id: companyId, employee_id: employeeId } = (await selectKey(tx, id)) ?? fail(notFound())
  await revokeOwnApiKey(tx, { companyId, employeeId }, id)
}

/** Also ends the devices that were created with the key. Somebody else's key, or an undefined id, is not found. */
export async function revokeOwnApiKey(tx: Tx, actor: Actor, id: string | undefined): Promise<void> {
  const isRevoked =
    id !== undefined && (await endAccess(tx, actor, (queue) => deleteOwnKey(queue, actor, id)))
  if (!isRevoked) throw notFound()
}
