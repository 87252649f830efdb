import { z } from 'zod'

import type { Queryable, Tx } from '../../platform/db/database.ts'
import { fail, notFound } from '../../platform/errors.ts'
import type { Actor } from '../../platform/http/route.ts'
import { selectDeviceOwner, updateEncryption, updateEncryptionRefused } from './queries.ts'
import { DeviceEncryption } from './schemas.ts'

/** For the operator. */
export async function setEncryption(tx: Tx, id: string, input: { encryption: string }): Promise<void> {
  await setOwnEncryption(tx, (await selectDeviceOwner(tx, id)) ?? fail(notFound()), id, input)
}

/** A phone that refused encryption is offered it again. Somebody else's device, or an invalid id, is not found. */
export async function setOwnEncryption(
  tx: Tx,
  actor: Actor,
  id: string | undefined,
  input: { encryption: string },
): Promise<void> {
  const { encryption } = z.object({ encryption: DeviceEncryption }).parse(input)
  if (id === undefined || !(await updateEncryption(tx, actor, id, encryption))) throw notFound()
}

/** So that the next call does not fail first. */
export const rememberEncryptionRefused = (sql: Queryable, deviceId: string): Promise<void> =>
  updateEncryptionRefused(sql, deviceId)
