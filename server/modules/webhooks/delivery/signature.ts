import { createHmac } from 'node:crypto'

export const SECRET_PREFIX = 'whsec_'

interface Signed {
  id: string
  /** Seconds since 1970. */
  timestamp: number
  body: string
}

/** The header of Standard Webhooks 1.0.0: one signature per secret, so that a rotation breaks nobody. */
export function signatures(secrets: string[], { id, timestamp, body }: Signed): string {
  const content = `${id}.${timestamp}.${body}`
  return secrets
    .map((secret) => Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64'))
    .map((key) => `v1,${createHmac('sha256', key).update(content).digest('base64')}`)
    .join(' ')
}
