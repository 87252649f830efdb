import { randomBytes } from 'node:crypto'

import { z } from 'zod'

import type { Vault } from '../../platform/crypto/crypto.ts'
import type { Queryable, Tx } from '../../platform/db/database.ts'
import { fail, notFound } from '../../platform/errors.ts'
import type { Actor } from '../../platform/http/route.ts'
import { requiredLine } from '../../platform/schemas.ts'
import { endAccess } from '../queue/index.ts'
import { newDevicePassword, openDevicePassword, sealDevicePassword } from './device-password.ts'
import { deleteOwnDevice, insertDevice, selectDeviceByUsername, selectDeviceOwner } from './queries.ts'
import type { DeviceEncryption } from './schemas.ts'

export const DeviceCreate = z.object({ name: requiredLine(128).default('Phone') })

export interface DeviceCredentials {
  id: string
  username: string
  password: string
}

/** SIP credentials for a desk phone or a SIP app. The password is returned only here. */
export async function createDevice(
  tx: Tx,
  vault: Vault,
  employeeId: string,
  input: z.input<typeof DeviceCreate>,
): Promise<DeviceCredentials> {
  const { name } = DeviceCreate.parse(input)
  return insertCredentials(tx, vault, employeeId, { name, kind: 'phone', expires_at: null })
}

export async function insertCredentials(
  tx: Tx,
  vault: Vault,
  employeeId: string,
  about: Omit<Parameters<typeof insertDevice>[2], 'username' | 'password_sealed'>,
): Promise<DeviceCredentials> {
  const username = `u${randomBytes(6).toString('hex')}`
  const password = newDevicePassword()
  const password_sealed = sealDevicePassword(vault, username, password)
  const id = (await insertDevice(tx, employeeId, { ...about, username, password_sealed })) ?? fail(notFound())
  return { id, username, password }
}

export interface DeviceAccount {
  deviceId: string
  companyId: string
  employeeId: string
  encryption: DeviceEncryption
  hasRefusedEncryption: boolean
}

/** The device with this user name; undefined if there is none, or it has expired. */
export async function findDevice(sql: Queryable, username: string): Promise<DeviceAccount | undefined> {
  const row = await selectDeviceByUsername(sql, username)
  if (!row) return undefined
  const { id, company_id, employee_id, encryption, has_refused_encryption } = row
  return {
    deviceId: id,
    companyId: company_id,
    employeeId: employee_id,
    encryption,
    hasRefusedEncryption: has_refused_encryption,
  }
}

export async function devicePasswordOf(
  sql: Queryable,
  vault: Vault,
  username: string,
): Promise<string | undefined> {
  const row = await selectDeviceByUsername(sql, username)
  return row && openDevicePassword(vault, { ...row, username })
}

/** For the operator. */
export async function removeDevice(tx: Tx, id: string): Promise<void> {
  await removeOwnDevice(tx, (await selectDeviceOwner(tx, id)) ?? fail(notFound()), id)
}

/**
 * Also removes the other devices of the same session, key or grant, which people see as one. A device of somebody
 * else, or an invalid id, is not found.
 */
export async function removeOwnDevice(tx: Tx, actor: Actor, id: string | undefined): Promise<void> {
  const isRemoved =
    id !== undefined && (await endAccess(tx, actor, (queue) => deleteOwnDevice(queue, actor, id)))
  if (!isRemoved) throw notFound()
}
