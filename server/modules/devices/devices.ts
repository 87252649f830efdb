import { randomBytes } from 'node:crypto'

import { z } from 'zod'

import { randomToken, type Vault } from '../../platform/crypto.ts'
import type { Tx } from '../../platform/db/database.ts'
import { fail, notFound } from '../../platform/errors.ts'
import { requiredText } from '../../platform/schemas.ts'
import { insertDevice } from './queries.ts'

const DeviceCreate = z.object({ name: requiredText(128).default('Phone') })

export interface DeviceCredentials {
  id: string
  username: string
  password: string
}

/** SIP credentials for a desk phone or a softphone. The password is shown here and never again. */
export async function createDevice(
  tx: Tx,
  vault: Vault,
  employeeId: string,
  input: z.input<typeof DeviceCreate>,
): Promise<DeviceCredentials> {
  const { name } = DeviceCreate.parse(input)
  const username = `u${randomBytes(6).toString('hex')}`
  const password = randomToken()
  const device = {
    name,
    username,
    password_sealed: vault.seal(password, devicePassword(username)),
  }
  const id = (await insertDevice(tx, employeeId, device)) ?? fail(notFound())
  return { id, username, password }
}

/** What binds a sealed password to its device. */
const devicePassword = (username: string) => `device password ${username}`
