import { z } from 'zod'

import { type Environment, list, variables } from './variables.ts'

/** The installation's secret, and the encryption keys of texts. */
export const secrets = variables({
  BELLHOP_SECRET: [z.string().min(32).optional(), 'a random text of at least 32 characters'],
  MESSAGE_KEYS: [
    list().refine(areMessageKeys).optional(),
    'keys as id:secret separated by commas, the newest first; each secret has at least 32 characters',
  ],
})

export function readSecrets(environment: Environment) {
  const given = secrets.read(environment)
  return {
    secret: given.BELLHOP_SECRET,
    messageKeys: given.MESSAGE_KEYS,
  }
}

/** `2026-11:…`: each encrypted value names its key by this id. */
export const MESSAGE_KEY = /^([\w.-]{1,32}):([^\s:,]{32,})$/

export function areMessageKeys(keys: string[]): boolean {
  const ids = keys.map((key) => MESSAGE_KEY.exec(key)?.[1])
  return !ids.includes(undefined) && new Set(ids).size === ids.length
}
