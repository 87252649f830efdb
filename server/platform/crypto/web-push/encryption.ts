import { createCipheriv, createECDH, ECDH, hkdfSync, randomBytes } from 'node:crypto'

/** What a browser gives whoever is to send it messages, besides its endpoint. */
export interface BrowserKeys {
  /** Its public key: a point of P-256, uncompressed. */
  p256dh: Buffer
  /** A secret that the push service does not have. */
  auth: Buffer
}

export const CURVE = 'prime256v1'
export const POINT_BYTES = 65
export const AUTH_BYTES = 16
/** The only record has up to this many bytes (RFC 8291 §4). */
const RECORD_BYTES = 4_096
const [SALT_BYTES, KEY_BYTES, NONCE_BYTES] = [16, 16, 12]
/** Messages of the same length tell the push service nothing. */
const PADDED_BYTES = 1_024
/** Ends the last record, and so the only one (RFC 8188 §2). */
const LAST = Buffer.from([2])

/** Whether it is a point of the curve: another one could reveal the shared secret. */
export function isPoint(bytes: Buffer): boolean {
  if (bytes.length !== POINT_BYTES) return false
  try {
    ECDH.convertKey(bytes, CURVE)
    return true
  } catch {
    return false
  }
}

interface Chance {
  salt: Buffer
  /** The private key of this one message. */
  ownKey: Buffer
  paddedBytes: number
}

/** Encrypts a message so that only the browser can read it (RFC 8291), as the body of one `aes128gcm` request. */
export function encryptForBrowser(
  text: string,
  { p256dh, auth }: BrowserKeys,
  { salt = randomBytes(SALT_BYTES), ownKey, paddedBytes = PADDED_BYTES }: Partial<Chance> = {},
): Buffer {
  const own = createECDH(CURVE)
  if (ownKey) own.setPrivateKey(ownKey)
  else own.generateKeys()
  const ownPoint = own.getPublicKey()
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), p256dh, ownPoint])
  const secret = Buffer.from(hkdfSync('sha256', own.computeSecret(p256dh), auth, info, 32))
  const derive = (purpose: string, bytes: number) =>
    Buffer.from(hkdfSync('sha256', secret, salt, `Content-Encoding: ${purpose}\0`, bytes))
  const header = Buffer.alloc(5)
  header.writeUInt32BE(RECORD_BYTES)
  header.writeUInt8(POINT_BYTES, 4)
  const message = Buffer.from(text)
  const padding = Buffer.alloc(Math.max(0, paddedBytes - message.length))
  const cipher = createCipheriv('aes-128-gcm', derive('aes128gcm', KEY_BYTES), derive('nonce', NONCE_BYTES))
  return Buffer.concat([
    salt,
    header,
    ownPoint,
    cipher.update(Buffer.concat([message, LAST, padding])),
    cipher.final(),
    cipher.getAuthTag(),
  ])
}
