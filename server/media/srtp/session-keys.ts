import { createCipheriv } from 'node:crypto'

/** Session keys, derived from a master key and salt (RFC 3711 §4.3). */
export interface SessionKeys {
  cipher: Buffer
  auth: Buffer
  salt: Buffer
}

const LABELS = { rtp: [0, 1, 2], rtcp: [3, 4, 5] } as const

/** `master` is 16 bytes of key and 14 of salt. */
export function deriveKeys(master: Buffer, kind: keyof typeof LABELS): SessionKeys {
  const [cipher, auth, salt] = LABELS[kind]
  return {
    cipher: derive(master, cipher, 16),
    auth: derive(master, auth, 20),
    salt: derive(master, salt, 14),
  }
}

function derive(master: Buffer, label: number, bytes: number): Buffer {
  const counter = Buffer.alloc(16)
  master.copy(counter, 0, 16, 30)
  counter[7]! ^= label
  return createCipheriv('aes-128-ctr', master.subarray(0, 16), counter).update(Buffer.alloc(bytes))
}
