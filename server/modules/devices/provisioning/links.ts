import { randomToken, sha256, type Vault } from '../../../platform/crypto/crypto.ts'
import type { Tx } from '../../../platform/db/database.ts'
import type { Dependencies } from '../../../platform/dependencies.ts'
import { findEmployee } from '../../employees/index.ts'
import { openDevicePassword } from '../device-password.ts'
import { DEVICE_LIMITS } from '../limits.ts'
import { deleteExpiredLinks, insertLink, takeLink } from './link-queries.ts'
import type { PhoneSettings } from './phone-settings.ts'

/** Where phones register. */
export type PhoneServer = Pick<PhoneSettings, 'host' | 'port' | 'transport'>

/** Returns the secret of a link by which the phone fetches its settings, once. */
export async function createProvisioningLink(tx: Tx, deviceId: string, now: Date): Promise<string> {
  const token = randomToken()
  await deleteExpiredLinks(tx, now)
  await insertLink(tx, {
    token_hash: sha256(token),
    device_id: deviceId,
    expires_at: new Date(now.getTime() + DEVICE_LIMITS.provisioningMs),
  })
  return token
}

interface LinkParts extends Dependencies<'db' | 'clock'> {
  vault: Vault
  server(): Promise<PhoneServer>
}

/** Uses the link up; undefined if it was used, has expired, or never was one. */
export async function settingsByLink(
  { db, clock, vault, server }: LinkParts,
  token: string,
): Promise<PhoneSettings | undefined> {
  const place = await server()
  const device = await takeLink(db.sql, sha256(token), clock.now())
  const employee = device && (await findEmployee(db.sql, device.company_id, device.employee_id))
  if (!employee) return undefined
  return {
    ...place,
    label: device.name,
    displayName: employee.name,
    username: device.username,
    password: openDevicePassword(vault, device),
  }
}
