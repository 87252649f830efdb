import { randomBytes } from 'node:crypto'
import { join } from 'node:path'

import type { Config } from '../config.ts'
import type { Log } from '../platform/log.ts'
import { WIRING_LIMITS } from './limits.ts'
import { readOrCreateSecret } from './secret-file.ts'

/** The installation's secret: as configured, else created once and kept in the data folder. */
export async function installationSecret(config: Config, log: Log): Promise<string> {
  if (config.secret) return config.secret
  const path = join(config.dataDir, 'secret')
  // Other processes on this database could not decrypt what this one seals with its own secret.
  if (config.databaseUrl) log.warn({ path }, 'BELLHOP_SECRET is not set; using the secret of this machine')
  return readOrCreateSecret({
    path,
    what: 'secret',
    make: () => randomBytes(WIRING_LIMITS.keyBytes).toString('base64url'),
    isWhole: (text) => text.length >= WIRING_LIMITS.secretCharactersMin,
  })
}
