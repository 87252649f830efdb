import { randomBytes } from 'node:crypto'
import { join } from 'node:path'

import type { Config } from '../config.ts'
import { areMessageKeys, MESSAGE_KEY } from '../config/secrets.ts'
import type { RingKey } from '../platform/crypto/key-ring.ts'
import type { Log } from '../platform/log.ts'
import { WIRING_LIMITS } from './limits.ts'
import { readOrCreateSecret, readSecretFile, warnIfUnshared } from './secret-file.ts'

/**
 * The encryption keys of texts, the newest first: as configured, else one that is created when first needed and kept
 * in the data folder, one per line.
 */
export async function messageKeys(config: Config, log: Log): Promise<RingKey[]> {
  if (config.messageKeys) return config.messageKeys.map(keyOf)
  const file = fileOf(config)
  warnIfUnshared(config, log, file)
  return linesOf(await readOrCreateSecret(file)).map(keyOf)
}

/** The same, without creating one: undefined before the first start. */
export async function findMessageKeys(config: Config): Promise<RingKey[] | undefined> {
  if (config.messageKeys) return config.messageKeys.map(keyOf)
  const text = await readSecretFile(fileOf(config))
  return text === undefined ? undefined : linesOf(text).map(keyOf)
}

const fileOf = ({ dataDir }: Config) => ({
  path: join(dataDir, 'message-keys'),
  setting: 'MESSAGE_KEYS',
  what: 'keys of texts',
  make: () => `1:${randomBytes(WIRING_LIMITS.keyBytes).toString('base64url')}`,
  isWhole: (kept: string) => areMessageKeys(linesOf(kept)),
})

const linesOf = (text: string) => text.split('\n').map((line) => line.trim())

function keyOf(text: string): RingKey {
  const [, id, secret] = MESSAGE_KEY.exec(text)!
  return { id: id!, secret: secret! }
}
