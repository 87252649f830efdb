import { createHmac, createSecretKey, type KeyObject, randomBytes } from 'node:crypto'

const SECRET_PREFIX = 'whsec_'
const SECRET_BYTES = 32

interface Signed {
  id: string
  /** Seconds since 1970. */
  timestamp: number
  body: Uint8Array
}

/** In the form that its owner sees. */
export const newSigningSecret = () => SECRET_PREFIX + randomBytes(SECRET_BYTES).toString('base64')

/** The key in a secret. */
export const signingKey = (secret: string) =>
  createSecretKey(Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64'))

/** The signature header of Standard Webhooks 1.0.0: one signature for each key, so that rotation breaks nobody. */
export function signatures(keys: KeyObject[], { id, timestamp, body }: Signed): string {
  const head = `${id}.${timestamp}.`
  const sign = (key: KeyObject) => createHmac('sha256', key).update(head).update(body).digest('base64')
  return keys.map((key) => `v1,${sign(key)}`).join(' ')
}
