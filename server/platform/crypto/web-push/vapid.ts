import { createECDH, createPrivateKey, type ECDH, sign } from 'node:crypto'

import { derivedSecret } from '../crypto.ts'
import { CURVE } from './encryption.ts'

/** How this installation identifies itself to push services (RFC 8292). */
export interface VapidKey {
  /** What browsers subscribe with: they accept messages from its owner only. */
  publicKey: string
  /** The header Authorization of a request to this origin. */
  authorizationFor(origin: string, claims: { expiresAt: Date; contact: string }): string
}

/**
 * Derived from the secret of the installation, so all its processes have the same key, and there is nothing more to
 * store or to lose. If the secret changes, browsers subscribe again.
 */
export function createVapidKey(secret: string): VapidKey {
  const pair = keyPairOf(secret)
  const point = pair.getPublicKey()
  const key = createPrivateKey({
    format: 'jwk',
    key: {
      kty: 'EC',
      crv: 'P-256',
      d: scalarOf(pair.getPrivateKey()).toString('base64url'),
      x: point.subarray(1, 33).toString('base64url'),
      y: point.subarray(33).toString('base64url'),
    },
  })
  const publicKey = point.toString('base64url')
  return {
    publicKey,
    authorizationFor(origin, { expiresAt, contact }) {
      const claims = { aud: origin, exp: Math.floor(expiresAt.getTime() / 1_000), sub: contact }
      const signed = [{ typ: 'JWT', alg: 'ES256' }, claims]
        .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
        .join('.')
      const signature = sign('sha256', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' })
      return `vapid t=${signed}.${signature.toString('base64url')}, k=${publicKey}`
    },
  }
}

/** One secret in four billion is not below the order of the curve: then the next one is. */
function keyPairOf(secret: string, attempt = 1): ECDH {
  const pair = createECDH(CURVE)
  try {
    pair.setPrivateKey(derivedSecret(secret, `web push ${attempt}`))
    return pair
  } catch (error) {
    if (attempt === ATTEMPTS) throw error
    return keyPairOf(secret, attempt + 1)
  }
}

const ATTEMPTS = 3

/** With the zeros at its beginning. */
const scalarOf = (bytes: Buffer) => Buffer.concat([Buffer.alloc(32 - bytes.length), bytes])
