import { randomBytes } from 'node:crypto'
import { join } from 'node:path'

import type { Config } from '../config.ts'
import type { Log } from '../platform/log.ts'
import { WIRING_LIMITS } from './limits.ts'
import { readOrCreateSecret, readSecretFile, warnIfUnshared } from './secret-file.ts'

/** The installation's secret: as configured, else created once and kept in the data folder. */
export async function installationSecret(config: Config, log: Log): Promise<string> {
  if (config.secret) return config.secret
  const file = fileOf(config)
  warnIfUnshared(config, log, file)
  return readOrCreateSecret(file)
}

/** The same, without creating it: undefined before the first start. */
export async function findInstallationSecret(config: Config): Promise<string | undefined> {
  return config.secret ?? readSecretFile(fileOf(config))
}

const fileOf = ({ dataDir }: Config) => ({
  path: join(dataDir, 'secret'),
  setting: 'BELLHOP_SECRET',
  what: 'secret',
  make: () => randomBytes(WIRING_LIMITS.keyBytes).toString('base64url'),
  isWhole: (text: string) => text.length >= WIRING_LIMITS.secretCharactersMin,
})
