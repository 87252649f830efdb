import { randomBytes } from 'node:crypto'
import { join } from 'node:path'

import type { Config } from '../config.ts'
import type { Log } from '../platform/log.ts'
import { WIRING_LIMITS } from './limits.ts'
import { readOrCreateSecret, readSecretFile } from './secret-file.ts'

/** The installation's secret: as configured, else created once and kept in the data folder. */
export async function installationSecret(config: Config, log: Log): Promise<string> {
  if (config.secret) return config.secret
  const file = fileOf(config)
  const { path } = file
  // Other processes on this database could not decrypt what this one seals with its own secret.
  if (config.databaseUrl) log.warn({ path }, 'BELLHOP_SECRET is not set; using the secret of this machine')
  return readOrCreateSecret(file)
}

/** The same, without creating it: undefined before the first start. */
export async function findInstallationSecret(config: Config): Promise<string | undefined> {
  return config.secret ?? readSecretFile(fileOf(config))
}

const fileOf = ({ dataDir }: Config) => ({
  path: join(dataDir, 'secret'),
  what: 'secret',
  make: () => randomBytes(WIRING_LIMITS.keyBytes).toString('base64url'),
  isWhole: (text: string) => text.length >= WIRING_LIMITS.secretCharactersMin,
})
