import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

import type { Vault } from './crypto.ts'

export interface RingKey {
  /** Part of every sealed value. */
  id: string
  secret: string
}

export interface KeyRing extends Vault {
  /** The prefix of everything that the newest key has sealed. */
  header: Buffer
}

/** The key of a sealed value is no longer on the ring. */
export class KeyMissing extends Error {
  constructor(id: string) {
    super(`the key ${JSON.stringify(id)} is not on the key ring`)
    this.name = 'KeyMissing'
  }
}

const VERSION = 1
const NONCE_BYTES = 12
const TAG_BYTES = 16

/**
 * A vault whose keys can be rotated: the first key encrypts, all of them decrypt. A sealed value is a version, the
 * length of the key's id, the id, then nonce, AES-256-GCM ciphertext and tag.
 */
export function createKeyRing(keys: readonly RingKey[]): KeyRing {
  const derived = new Map(keys.map(({ id, secret }) => [id, deriveKey(secret)]))
  const current = keys[0]!.id
  const header = headerOf(current)
  return {
    header,
    seal(plaintext, context) {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', derived.get(current)!, nonce)
      cipher.setAAD(Buffer.concat([header, Buffer.from(context)]))
      return Buffer.concat([
        header,
        nonce,
        cipher.update(plaintext, 'utf8'),
        cipher.final(),
        cipher.getAuthTag(),
      ])
    },
    open(sealed, context) {
      if (sealed[0] !== VERSION) throw new Error('unknown version of a sealed value')
      const start = 2 + sealed[1]!
      const id = sealed.toString('utf8', 2, start)
      const key = derived.get(id)
      if (!key) throw new KeyMissing(id)
      const nonce = sealed.subarray(start, start + NONCE_BYTES)
      const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES })
        .setAAD(Buffer.concat([sealed.subarray(0, start), Buffer.from(context)]))
        .setAuthTag(sealed.subarray(-TAG_BYTES))
      const ciphertext = sealed.subarray(start + NONCE_BYTES, -TAG_BYTES)
      return decipher.update(ciphertext, undefined, 'utf8') + decipher.final('utf8')
    },
  }
}

function deriveKey(secret: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', 'bellhop key ring', 32))
}

function headerOf(id: string): Buffer {
  const bytes = Buffer.from(id)
  return Buffer.concat([Buffer.from([VERSION, bytes.length]), bytes])
}
