import { createCipheriv, createDecipheriv, hash, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'

/** 256 random bits, safe in a URL. */
export const randomToken = () => randomBytes(32).toString('base64url')

/** Only for secrets with full entropy; passwords need argon2. */
export const sha256 = (text: string) => hash('sha256', text, 'buffer')

export const sameBytes = (a: Buffer, b: Buffer) => a.length === b.length && timingSafeEqual(a, b)

/** Derives a secret for one purpose, the same in every process of the installation. */
export const derivedSecret = (secret: string, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, '', `bellhop ${purpose}`, 32))

/** Encrypts small secrets at rest. `context` names their record: in another record they cannot be decrypted. */
export interface Vault {
  seal(plaintext: string, context: string): Buffer
  open(sealed: Buffer, context: string): string
}

const NONCE_BYTES = 12
const TAG_BYTES = 16

export function createVault(secret: string): Vault {
  const key = derivedSecret(secret, 'vault')
  return {
    seal(plaintext, context) {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context))
      return Buffer.concat([nonce, cipher.update(plaintext, 'utf8'), cipher.final(), cipher.getAuthTag()])
    },
    open(sealed, context) {
      const nonce = sealed.subarray(0, NONCE_BYTES)
      const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES })
        .setAAD(Buffer.from(context))
        .setAuthTag(sealed.subarray(-TAG_BYTES))
      return (
        decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
      )
    },
  }
}
